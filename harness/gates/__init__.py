"""Gates: a workflow's rules and the results of a run in, a verdict out. Pure: nothing is read, written or played here.

Which kind a gate rule is follows from its keys:

| keys                                   | holds when                                                        |
| -------------------------------------- | ----------------------------------------------------------------- |
| `tier`, `every: trial`                 | every trial of every scenario of that tier passed                 |
| `per: scenario`, `at_least`, `of`      | so many of the trials of every scenario passed                    |
| `metric`, `at_least`                   | that share of the judged episodes passed                          |
| `metric`, `stat: pass^k`, `at_least`   | so likely do k trials of a scenario all pass                      |
| `metric`, `at_least` or `at_most`,     | that statistic (mean, p50, p90, p95, p99, max) of a measure keeps |
| `stat`, `per`                          | the limit, taken over episodes, successes or turns                |
| `metric`, `failures: k`                | at most k episodes failed; the bound on the true rate is told     |
| `status: not_judged`, `at_most`        | that share of the planned episodes at most could not be judged;   |
|                                        | more is undecided, never failed                                   |
| `coverage`, `at_least`, `min_n`        | that share of families or clauses was exercised by judged ones    |
| `metric`, `against`,                   | it is worse than in a baseline by no more than that, paired       |
| `max_drop` or `max_rise`               |                                                                   |

`each: [family, language]` asks for every cell of the cross product, `min_n` for at least so many episodes in a cell,
`confidence` lets the one-sided bound decide instead of the figure, `generalise` makes scenarios the observations.
"""
