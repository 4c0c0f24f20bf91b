/**
 * An upper bound for the width of a text without rendering it: for charts, which place elements before measuring them.
 */

const CJK = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/
const NARROW = /[\s.,:;'|!()[\]/°·ijlft-]/
const WIDE = /[A-Zmw%@&≥≤…]/

/** An upper estimate [em] for the wider of the usual fonts, in bold. Digits are tabular. */
export function emsOf(text: string): number {
  let ems = 0
  for (const letter of text) {
    if (CJK.test(letter)) ems += 1
    else if (/\d/.test(letter)) ems += 0.7
    else if (NARROW.test(letter)) ems += 0.5
    else ems += WIDE.test(letter) ? 1 : 0.72
  }
  return ems
}
