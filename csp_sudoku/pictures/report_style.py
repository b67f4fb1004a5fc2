"""The style sheet of reports: screens light and dark, narrow and wide, and paper."""

STYLE = """
.csp-report {
  --paper: #ffffff; --ink: #16181d; --soft: #5b626d; --line: #d6d9de; --ground: #f4f5f7;
  --compile: #86c4f0; --solve: #1f5fbf; --good: #1d7a3e; --warn: #8a5a00; --bad: #b3261e;
  color: var(--ink); background: var(--paper);
  font: 15px/1.5 "Helvetica Neue", Helvetica, Arial, "Liberation Sans", sans-serif;
  max-width: 68rem; margin: 0 auto; padding: 1.5rem;
}
.csp-report h1 { font-size: 1.6em; margin: 0 0 .25rem; }
.csp-report h2 { font-size: 1.15em; margin: 2rem 0 .5rem; border-bottom: 1px solid var(--line); }
.csp-report p { margin: .4rem 0; max-width: 48rem; }
.csp-report .outcome { font-size: 1.15em; font-weight: 600; margin: 0 0 1rem; }
.csp-report .good { color: var(--good); }
.csp-report .warn { color: var(--warn); }
.csp-report .bad { color: var(--bad); }
.csp-report .soft { color: var(--soft); }
.csp-report .figures { display: flex; flex-wrap: wrap; gap: 1.5rem; align-items: flex-start; }
.csp-report figure { margin: 0; flex: 0 1 auto; min-width: 0; }
.csp-report figure svg { max-width: 100%; height: auto; display: block; }
.csp-report figcaption { color: var(--soft); font-size: .9em; margin-top: .25rem; }
.csp-report .scroll { overflow-x: auto; }
.csp-report table { border-collapse: collapse; width: 100%; }
.csp-report th, .csp-report td {
  text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; white-space: nowrap; background: none; color: inherit;
}
.csp-report th { font-weight: 600; color: var(--soft); font-size: .85em; }
.csp-report .number { text-align: right; font-variant-numeric: tabular-nums; }
.csp-report .wide { width: 40%; white-space: normal; }
.csp-report .bar { height: .55rem; margin-top: .25rem; min-width: 8rem; }
.csp-report .bar i { display: block; height: 100%; min-width: 1px; }
.csp-report .compile { background: var(--compile); }
.csp-report .solve {
  background: repeating-linear-gradient(45deg, var(--solve) 0 4px, var(--compile) 4px 6px);
}
.csp-report .key i { display: inline-block; width: 1rem; height: .7rem; margin-right: .3rem; }
.csp-report .key span { margin-right: 1.2rem; }
.csp-report pre {
  background: var(--ground); color: inherit; padding: .6rem .8rem; overflow-x: auto;
  font: .85em/1.45 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; margin: .5rem 0;
  white-space: pre-wrap; overflow-wrap: anywhere;
}
.csp-report ul { margin: .4rem 0; padding-left: 1.2rem; }
.csp-report summary { cursor: pointer; }
@media screen and (prefers-color-scheme: dark) {
  .csp-report {
    --paper: #1c1e22; --ink: #eceae6; --soft: #a3aab5; --line: #3a3f47; --ground: #262a30;
    --compile: #3f86bf; --solve: #8ab8ff; --good: #6cc58a; --warn: #e0b354; --bad: #ff8a7d;
  }
}
@media print {
  .csp-report { max-width: none; padding: 0; font-size: 11px; }
  .csp-report figure, .csp-report tr { break-inside: avoid; }
  .csp-report h2 { break-after: avoid; }
  .csp-report .compile, .csp-report .solve {
    -webkit-print-color-adjust: exact; print-color-adjust: exact;
  }
}
"""

PAGE_STYLE = """
:root { color-scheme: light dark; }
body { margin: 0; background: #ffffff; }
@media screen and (prefers-color-scheme: dark) { body { background: #1c1e22; } }
"""
