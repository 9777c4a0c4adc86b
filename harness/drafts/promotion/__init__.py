"""From a recording to a scenario: what happened, as a draft that lints, plays and can be kept."""
