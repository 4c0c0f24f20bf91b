import type { UciDoc } from '#schema/config/uci'

/**
 * Computes once for each document, which never changes. The result is kept as long as the document is (document.ts):
 * parts of a device ask several times in a row.
 */
export function perDocument<R>(compute: (doc: UciDoc) => R): (doc: UciDoc) => R {
  const known = new WeakMap<UciDoc, { result: R }>()
  return (doc) => {
    const before = known.get(doc)
    if (before) return before.result
    const result = compute(doc)
    known.set(doc, { result })
    return result
  }
}
