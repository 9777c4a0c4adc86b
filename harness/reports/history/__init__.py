"""A workflow's runs over time, family by family and metric by metric."""
