//===- StyleSheet.cpp - How a page looks ----------------------------------===//
//
// Part of the Uop project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Colours are of two schemes, those of the reader's choice, and paper is light.
// They never stand alone: what they say is also written or drawn. Fonts are
// those of the system. No character here has to be escaped in XML.
//
//===----------------------------------------------------------------------===//

#include "PageParts.h"

static constexpr llvm::StringLiteral kStyleSheet = R"css(
:root {
  color-scheme: light dark;
  --page: #f5f6f8; --card: #ffffff; --text: #1b2430; --muted: #566272;
  --border: #d8dde4; --grid: #e3e7ec; --accent: #1f5a91; --bar: #8fb4d9;
  --good: #17663a; --good-back: #dff3e5; --bad: #a3231c; --bad-back: #fbe3e1;
  --warn: #7a4a00; --warn-back: #fdf0d5; --mark: #ffe08a; --waste: #d98a80;
  --code: #eef1f5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161c; --card: #1b212a; --text: #e4e9f0; --muted: #a3aebd;
    --border: #343d4a; --grid: #2b333f; --accent: #7db7ee; --bar: #3f6a96;
    --good: #7fd8a0; --good-back: #173524; --bad: #ff9c92; --bad-back: #44201f;
    --warn: #f3c36b; --warn-back: #3d2f14; --mark: #6b5410; --waste: #a55a52;
    --code: #242c37;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
body {
  margin: 0 auto; padding: 24px 20px 60px; max-width: 1120px;
  background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
h1 { font-size: 26px; margin: 0 0 4px; }
h2 { font-size: 22px; margin: 0; }
h3 { font-size: 17px; margin: 0 0 10px; }
h4 { font-size: 15px; margin: 0; display: inline; }
p { margin: 6px 0; }
a { color: var(--accent); }
code, pre, .place { font-family: ui-monospace, "SF Mono", Consolas, monospace; }
code { background: var(--code); border-radius: 3px; padding: 1px 4px; }
mark { background: var(--mark); color: inherit; border-radius: 2px; }
.kernel { margin-top: 40px; }
.card {
  background: var(--card); border: 1px solid var(--border); border-radius: 8px;
  padding: 16px 18px; margin-top: 14px;
}
nav.sections { margin: 6px 0 0; display: flex; flex-wrap: wrap; gap: 4px 14px; }
.muted { color: var(--muted); }
.good { color: var(--good); }
.bad { color: var(--bad); }
.tiles {
  display: grid; gap: 10px; margin-top: 14px;
  grid-template-columns: repeat(auto-fit, minmax(158px, 1fr));
}
.tile {
  background: var(--card); border: 1px solid var(--border); border-radius: 8px;
  padding: 10px 12px; border-left-width: 5px;
}
.tile.good { border-left-color: var(--good); color: inherit; }
.tile.bad { border-left-color: var(--bad); color: inherit; }
.tile .name { color: var(--muted); font-size: 13px; display: block; }
.tile .value { font-size: 17px; white-space: nowrap; font-weight: 600; display: block; }
.tile .remark { font-size: 13px; color: var(--muted); display: block; }
.wide { overflow-x: auto; margin: 8px 0; }
table { border-collapse: collapse; font-size: 14px; min-width: 50%; }
caption {
  text-align: left; color: var(--muted); font-size: 13px; padding-bottom: 4px;
}
th, td {
  text-align: left; padding: 4px 12px 4px 0; vertical-align: top;
  border-bottom: 1px solid var(--border);
}
th { color: var(--muted); font-weight: 600; }
.number {
  text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums;
}
dl { margin: 0; display: grid; gap: 2px 24px;
  grid-template-columns: repeat(auto-fit, minmax(440px, 1fr)); }
dl div { display: flex; gap: 10px; }
dt { color: var(--muted); flex: 0 0 176px; }
dd { margin: 0; overflow-wrap: anywhere; }
.badge {
  font-size: 13px; font-weight: 600; border-radius: 10px; padding: 1px 9px;
  margin-left: 8px; white-space: nowrap;
}
.badge.good { background: var(--good-back); }
.badge.bad { background: var(--bad-back); }
.badge.warn { background: var(--warn-back); color: var(--warn); }
.note {
  background: var(--warn-back); color: var(--warn); border-radius: 6px;
  padding: 6px 12px; margin-top: 10px;
}
.source { margin: 6px 0; font-size: 13px; }
.source .place { color: var(--muted); }
.source pre {
  margin: 2px 0; padding: 6px 10px; background: var(--code); border-radius: 6px;
  overflow-x: auto;
}
ol.advice { margin: 0; padding-left: 24px; }
ol.advice li { padding: 6px 0; }
ol.advice li + li { border-top: 1px solid var(--border); }
ol.advice .finding { font-weight: 600; }
.access { border-top: 1px solid var(--border); padding: 12px 0 4px; }
details.access summary { cursor: pointer; }
:target { outline: 3px solid var(--accent); outline-offset: 4px; }
figure { margin: 10px 0; overflow-x: auto; }
figcaption { font-size: 13px; color: var(--muted); max-width: 860px; }
.legends { font-size: 13px; color: var(--muted); margin-left: -12px; }
.legend { display: inline-block; width: 16px; height: 12px; margin: 0 4px 0 12px;
  vertical-align: -1px; border: 1px solid var(--border); border-radius: 2px; }
.legend.used { background: linear-gradient(90deg, #d6e6f7, #4f90c9, #123f6b); }
.legend.many { background: #f2a33a; }
.legend.waste { background: repeating-linear-gradient(135deg, var(--waste) 0 2px,
  transparent 2px 5px); }
.legend.none { border-style: dashed; }
.legend.clash { border: 2px solid var(--bad); }

svg { display: block; max-width: 100%; min-width: 620px; height: auto; }
svg.defs { position: absolute; min-width: 0; width: 0; height: 0; }
svg text { font: 12px system-ui, -apple-system, "Segoe UI", sans-serif;
  fill: var(--text); }
svg text.small { font-size: 9.5px; }
svg text.muted { fill: var(--muted); }
svg text.bad { fill: var(--bad); font-weight: 600; }
svg text.halo { paint-order: stroke; stroke: var(--card); stroke-width: 4px; }
svg text.strong { font-weight: 600; }
svg text.end { text-anchor: end; }
svg text.middle { text-anchor: middle; }
.lane text { fill: #0b1c30; }
.shade0 rect { fill: #d6e6f7; } .shade1 rect { fill: #bcd6f0; }
.shade2 rect { fill: #9cc3e6; } .shade3 rect { fill: #76abd9; }
.shade4 rect { fill: #5d9bd1; } .shade5 rect { fill: #2f74b0; }
.shade6 rect { fill: #1f5a91; } .shade7 rect { fill: #123f6b; }
.shade5 text, .shade6 text, .shade7 text { fill: #ffffff; }
.lane rect { stroke: #6f93b8; stroke-width: 0.6; }
.inactive rect { fill: none; stroke: var(--muted); stroke-dasharray: 2 2; }
.inactive line { stroke: var(--muted); stroke-width: 0.8; }
.broadcast rect { fill: #f2a33a; stroke: #9a5b00; stroke-width: 1; }
.broadcast text { fill: #2b1a00; font-weight: 600; }
.sector rect { fill: none; stroke: var(--border); stroke-dasharray: 3 2; }
.moved rect { fill: url(#waste); stroke: var(--waste); stroke-dasharray: none; }
.gap line { stroke: var(--muted); stroke-width: 1.2; stroke-dasharray: 1 4; }
line.path { stroke: var(--accent); stroke-width: 0.8; opacity: 0.75; }
rect.bank { fill: none; stroke: var(--grid); }
.conflict rect { fill: none; stroke: var(--bad); stroke-width: 2; }
.hatch { stroke: var(--waste); stroke-width: 1.6; }
line.grid { stroke: var(--grid); }
polyline { fill: none; }
polyline.axis { stroke: var(--muted); }
.roof polyline { stroke: var(--accent); stroke-width: 2.2; }
.roof circle { fill: var(--accent); }
line.ridge { stroke: var(--muted); stroke-dasharray: 3 4; }
.point circle { fill: var(--bad); stroke: var(--card); stroke-width: 1.5; }
line.headroom { stroke: var(--bad); stroke-dasharray: 2 3; }
.bar rect { fill: var(--bar); }
.bar.own rect { fill: var(--accent); }
.impossible rect { fill: url(#waste); opacity: 0.45; }
.impossible text { fill: var(--bad); }
line.mark { stroke: var(--text); stroke-width: 1.2; }

@media print {
  :root {
    --page: #ffffff; --card: #ffffff; --text: #000000; --muted: #444444;
    --border: #bbbbbb; --grid: #dddddd; --accent: #1f5a91; --bar: #8fb4d9;
    --good: #17663a; --good-back: #dff3e5; --bad: #a3231c;
    --bad-back: #fbe3e1; --warn: #7a4a00; --warn-back: #fdf0d5;
    --mark: #ffe08a; --waste: #d98a80; --code: #eef1f5;
  }
  body { max-width: none; padding: 0; font-size: 11pt;
    -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  .kernel + .kernel { break-before: page; }
  figure, tr, .tiles, .source, li { break-inside: avoid; }
  h2, h3, summary { break-after: avoid; }
  .wide, figure { overflow: visible; }
  table { font-size: 9pt; }
  th, td { padding-right: 7px; }
  .card { border: none; padding: 0; }
  nav.sections { display: none; }
  svg { min-width: 0; }
  details::details-content { content-visibility: visible; block-size: auto; }
}
)css";

llvm::StringRef uop::report::getStyleSheet() { return kStyleSheet; }
