"""What Eurotunnel Diplomacy says of itself on the page of a report."""
