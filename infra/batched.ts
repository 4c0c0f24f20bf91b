/**
 * Lookups by key, combined into few queries: thousands of devices often need the same kind of row at the same time.
 */

const GATHER_MS = 3
const BATCH_MAX = 500

/**
 * One query for the keys requested within 3 ms, at most 500 of them. Each caller gets the row of its key, null if
 * there is none, or the error of the query. A key is the text that `keyOf` derives from a row.
 */
export function batched<T>(ask: (keys: string[]) => Promise<T[]>, keyOf: (row: T) => string) {
  type Waiting = { good: (row: T | null) => void; bad: (error: unknown) => void }
  let waiting = new Map<string, Waiting[]>()
  let timer: NodeJS.Timeout | null = null

  async function run(): Promise<void> {
    timer = null
    const taken = waiting
    waiting = new Map()
    try {
      const rows = new Map((await ask([...taken.keys()])).map((row) => [keyOf(row), row]))
      for (const [key, list] of taken) for (const entry of list) entry.good(rows.get(key) ?? null)
    } catch (error) {
      for (const list of taken.values()) for (const entry of list) entry.bad(error)
    }
  }

  return (key: string): Promise<T | null> =>
    new Promise((good, bad) => {
      const list = waiting.get(key)
      if (list) list.push({ good, bad })
      else waiting.set(key, [{ good, bad }])
      if (waiting.size >= BATCH_MAX) {
        if (timer) clearTimeout(timer)
        void run()
      } else timer ??= setTimeout(() => void run(), GATHER_MS)
    })
}
