// SPDX-License-Identifier: MIT

extension HTMLPage {
  /// The one style sheet of a page.
  static let style = colours + text + tables + picture + surroundings

  /// Each pair of a colour and what it stands on has a contrast of 4.5 to 1 or more.
  private static let colours = """

    :root {
      color-scheme: light dark;
      --paper: #fff; --raised: #f6f7f9; --ink: #1b1f24; --faint: #59626e; --line: #dce0e5;
      --good: #1a7348; --fair: #8a5a00; --bad: #b3261e; --there: #2f6db5; --plain: #59626e;
      --good-back: #e6f4ec; --fair-back: #fdf1d8; --bad-back: #fdeae8; --plain-back: #eceff2;
      --link: #1f5fa8;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --paper: #14171b; --raised: #1c2026; --ink: #e7eaee; --faint: #a3adb9; --line: #343b44;
        --good: #6fd3a0; --fair: #edb955; --bad: #ff9c92; --there: #7fb4f5; --plain: #a3adb9;
        --good-back: #17332a; --fair-back: #3a2d12; --bad-back: #45211f; --plain-back: #2a3038;
        --link: #8fbdf7;
      }
    }

    """

  private static let text = """
    * { box-sizing: border-box; }
    body {
      margin: 0 auto; padding: 2rem 1.5rem 3rem; max-width: 66rem; background: var(--paper);
      color: var(--ink); font: 1rem/1.55 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif;
      overflow-wrap: break-word;
    }
    p { margin: .4rem 0; }
    a { color: var(--link); text-underline-offset: .15em; }
    h1 { margin: .5rem 0 .7rem; font-size: clamp(1.4rem, 1rem + 2vw, 2.1rem); line-height: 1.2; text-wrap: balance; }
    h2 { margin: 2.6rem 0 .8rem; font-size: 1.25rem; line-height: 1.3; }
    h3 { margin: .5rem 0; font-size: 1.05rem; line-height: 1.4; }
    code, .name { font: .9em/1.4 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
    .name, td code { overflow-wrap: anywhere; }
    small { display: block; color: var(--faint); }
    header { padding: 1.5rem 1.75rem; border: 1px solid var(--line); border-top: .4rem solid var(--plain); border-radius: .5rem; background: var(--raised); }
    header.good { border-top-color: var(--good); }
    header.fair { border-top-color: var(--fair); }
    header.bad { border-top-color: var(--bad); }
    .kind { display: flex; gap: .6rem; color: var(--faint); }
    .figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: .75rem; margin: 1.25rem 0 0; }
    .figures div { display: flex; flex-direction: column-reverse; justify-content: flex-end; padding-left: .8rem; border-left: 3px solid var(--line); }
    .figures dt { color: var(--faint); line-height: 1.3; }
    .figures dd { margin: 0; font-size: 1.8rem; font-weight: 650; line-height: 1.25; font-variant-numeric: tabular-nums; }
    .figures .good { border-color: var(--good); } .figures .good dd { color: var(--good); }
    .figures .fair { border-color: var(--fair); } .figures .fair dd { color: var(--fair); }
    .figures .bad { border-color: var(--bad); } .figures .bad dd { color: var(--bad); }
    .card { margin: .9rem 0; padding: 1rem 1.25rem; border: 1px solid var(--line); border-left: .3rem solid var(--plain); border-radius: .4rem; }
    .card.bad { border-left-color: var(--bad); }
    .card.fair { border-left-color: var(--fair); }
    .card.good { border-left-color: var(--good); }
    .about { display: flex; flex-wrap: wrap; align-items: baseline; gap: .3rem .6rem; margin: 0; }
    .count { color: var(--faint); font-variant-numeric: tabular-nums; }
    .badge { padding: .1rem .55rem; border-radius: 1rem; font-size: .85rem; font-weight: 600; white-space: nowrap; background: var(--plain-back); color: var(--ink); }
    .badge.good { background: var(--good-back); color: var(--good); }
    .badge.fair { background: var(--fair-back); color: var(--fair); }
    .badge.bad { background: var(--bad-back); color: var(--bad); }
    .places { margin: .3rem 0; padding-left: 1.2rem; }
    details { margin: .6rem 0; }
    .card > details:not([open]) { margin-bottom: -.2rem; }
    summary { width: fit-content; max-width: 100%; padding: .15rem 0; cursor: pointer; color: var(--link); }
    summary code { color: inherit; }
    details.reason > :not(summary) { max-width: 46rem; margin-left: 1.1rem; }
    :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
    :target { background: var(--fair-back); }
    footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--faint); font-size: .9rem; }

    """

  private static let tables = """
    table { width: 100%; border-collapse: collapse; font-size: .95rem; }
    caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    th { padding: .35rem .6rem; border-bottom: 2px solid var(--line); color: var(--faint); font-weight: 600; text-align: left; vertical-align: bottom; }
    th:first-child:not(.number) { width: 45%; }
    td { padding: .5rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
    th.number, td.number { text-align: right; font-variant-numeric: tabular-nums; }
    .zero { color: var(--faint); }
    th button { padding: 0; border: 0; background: none; color: inherit; font: inherit; text-align: inherit; cursor: pointer; }
    th button::after { content: " \\2195"; opacity: .55; }
    th[aria-sort=ascending] button::after { content: " \\2191"; opacity: 1; }
    th[aria-sort=descending] button::after { content: " \\2193"; opacity: 1; }
    @media (max-width: 44rem) {
      body { padding: 1rem .9rem 2rem; }
      header { padding: 1rem 1.1rem; }
      .figures { grid-template-columns: repeat(auto-fit, minmax(6.5rem, 1fr)); }
      table, tbody { display: block; }
      thead { display: none; }
      tr { display: block; padding: .6rem 0; border-bottom: 1px solid var(--line); }
      td, td.number { display: grid; grid-template-columns: 7.5rem 1fr; gap: .75rem; justify-items: start; padding: .12rem 0; border: 0; text-align: left; }
      td::before { content: attr(data-column); color: var(--faint); }
      td:empty, td:has(> .zero) { display: none; }
    }

    """

  private static let picture = """
    .flow { display: block; width: 100%; height: auto; font: 14px system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
    .flow.narrow { display: none; font-size: 11px; }
    .flow text { fill: var(--ink); paint-order: stroke; stroke: var(--paper); stroke-width: 4px; stroke-linejoin: round; }
    .flow .title { fill: var(--faint); font-weight: 600; }
    .flow .count { fill: var(--faint); }
    .bar.plain { fill: var(--plain); } .bar.left { fill: var(--plain); }
    .bar.good { fill: var(--good); } .bar.there { fill: var(--there); }
    .bar.fair { fill: var(--fair); } .bar.bad { fill: var(--bad); }
    .ribbon { fill-opacity: .28; }
    .ribbon.plain { fill: var(--plain); } .ribbon.left { fill: var(--plain); }
    .ribbon.good { fill: var(--good); } .ribbon.there { fill: var(--there); }
    .ribbon.fair { fill: var(--fair); } .ribbon.bad { fill: var(--bad); }
    .caption { color: var(--faint); font-size: .9rem; }
    @media screen and (max-width: 44rem) {
      .flow.wide { display: none; }
      .flow.narrow { display: block; }
    }

    """

  private static let surroundings = """
    @media print {
      :root { --paper: #fff; --raised: #fff; --ink: #000; --faint: #444; --line: #bbb;
        --good: #1a7348; --fair: #8a5a00; --bad: #b3261e; --there: #2f6db5; --plain: #59626e;
        --good-back: #fff; --fair-back: #fff; --bad-back: #fff; --plain-back: #fff; --link: #000; }
      @page { margin: 16mm 14mm; }
      :root { font-size: 12px; }
      body { max-width: none; padding: 0; }
      a { text-decoration: none; }
      .card, .picture, tr, header { break-inside: avoid; }
      h2, h3 { break-after: avoid; }
      th button::after { content: none; }
      .badge { padding: 0; }
      small { font-size: .85em; }
      .flow.wide { display: block; }
      details.reason::details-content { content-visibility: visible; block-size: auto; }
      * { print-color-adjust: exact; }
    }

    """
}
