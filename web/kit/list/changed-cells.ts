/** Refreshing a list in use: changed cells are highlighted, rows keep their places. */
import { useEffect, useRef, useState } from 'react'

const TINT_MS = 1_000
type Fields = Record<string, unknown>

/** `row key:field` of every cell that differs between two responses to the same query; new rows do not count. */
export function changedCells<R>(
  before: ReadonlyMap<string, R>,
  rows: readonly R[],
  keyOf: (row: R) => string,
): ReadonlySet<string> {
  const changed = new Set<string>()
  for (const row of rows) {
    const old = before.get(keyOf(row))
    if (!old) continue
    for (const [field, value] of Object.entries(row as Fields))
      if (JSON.stringify((old as Fields)[field]) !== JSON.stringify(value))
        changed.add(`${keyOf(row)}:${field}`)
  }
  return changed
}

/** The new rows in the order of the old ones, if they are the same rows. */
export function inPreviousOrder<R>(
  old: readonly string[],
  rows: readonly R[],
  keyOf: (row: R) => string,
): readonly R[] {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  if (old.length !== byKey.size || !old.every((key) => byKey.has(key))) return rows
  return old.flatMap((key) => byKey.get(key) ?? [])
}

const isSame = <R>(one: readonly R[], other: readonly R[]) =>
  one.length === other.length && one.every((row, i) => row === other[i])

const NOTHING: ReadonlySet<string> = new Set()

/**
 * @param question the query: another page, sort or filter is another list, in which nothing has "changed". @param
 * waiting `rows` answer the previous question: in their order, a list that is sorted anew would stay as it was. @returns
 * the rows to render, which cells to highlight (`row key:field`), and handlers that track whether the pointer is over
 * the rows.
 */
export function useLiveRows<R>(rows: R[], keyOf: (row: R) => string, question: string, waiting: boolean) {
  const shown = useRef<{ question: string; rows: ReadonlyMap<string, R> }>({ question: '', rows: new Map() })
  const pointer = useRef(false)
  const [tinted, setTinted] = useState(NOTHING)
  const same = shown.current.question === question
  const ordered =
    same && pointer.current ? [...inPreviousOrder([...shown.current.rows.keys()], rows, keyOf)] : rows
  const before = useRef(ordered)
  const drawn = isSame(before.current, ordered) ? before.current : ordered

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new response is compared
  useEffect(() => {
    if (waiting) return
    const next = same ? changedCells(shown.current.rows, rows, keyOf) : NOTHING
    before.current = drawn
    shown.current = { question, rows: new Map(drawn.map((row) => [keyOf(row), row])) }
    if (next.size === 0) return
    setTinted(next)
    const timer = setTimeout(() => setTinted(NOTHING), TINT_MS)
    return () => {
      clearTimeout(timer)
      setTinted(NOTHING)
    }
  }, [rows, question, waiting])

  return {
    rows: drawn,
    tinted,
    onPointerEnter: () => {
      pointer.current = true
    },
    onPointerLeave: () => {
      pointer.current = false
    },
  }
}
