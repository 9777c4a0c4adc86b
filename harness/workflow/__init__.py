"""Reading what people write: YAML with positions, checks, bundles loaded by path."""
