"""The games at the table: what may be asked of one, who may see what, how it is kept. Knows no HTTP."""
