"""Agents for Channel Tunnel."""
