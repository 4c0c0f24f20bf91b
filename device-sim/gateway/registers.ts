/** The contents of a simulated slave: values in its four tables, each of one or more registers. */
import type { RegisterType } from '#schema/monitor/fields'

/** A value of one or more neighbouring registers or bits; `write` is absent where it cannot be set. */
export type Held = {
  readonly words: () => readonly number[]
  readonly write?: (at: number, word: number) => void
}
type Cell = { readonly held: Held; readonly at: number }

export class Registers {
  readonly #tables: Readonly<Record<RegisterType, Map<number, Cell>>> = {
    coil: new Map(),
    discrete: new Map(),
    input: new Map(),
    holding: new Map(),
  }

  put(table: RegisterType, address: number, held: Held): void {
    for (const at of held.words().keys()) this.#tables[table].set(address + at, { held, at })
  }

  /** Registers or bits; null: one of them does not exist. All registers of a value are of the same moment. */
  read(table: RegisterType, address: number, count: number): number[] | null {
    const now = new Map<Held, readonly number[]>()
    const found: number[] = []
    for (let i = address; i < address + count; i++) {
      const cell = this.#tables[table].get(i)
      if (!cell) return null
      const words = now.get(cell.held) ?? cell.held.words()
      now.set(cell.held, words)
      found.push(words[cell.at] ?? 0)
    }
    return found
  }

  /** All or none of them. False: one does not exist, or cannot be set. */
  write(table: 'coil' | 'holding', address: number, words: readonly number[]): boolean {
    const cells = words.map((_, i) => this.#tables[table].get(address + i))
    if (cells.some((cell) => !cell?.held.write)) return false
    for (const [i, cell] of cells.entries()) cell?.held.write?.(cell.at, words[i] ?? 0)
    return true
  }
}

/** A value that stays until it is set. */
export function settable(initial: readonly number[]): Held {
  const words = [...initial]
  return {
    words: () => words,
    write: (at, word) => {
      words[at] = word
    },
  }
}
