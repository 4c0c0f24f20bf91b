/**
 * All streams of values of this process [decisions/123]: their values are read by one statement per second, regardless
 * of their number; each value is serialized once, and every stream gets those that changed since its last event.
 */
import { type Changed, readChanged, readEnded, type Watched } from './live-reads.ts'
import { type Shown, shownText } from './live-text.ts'

const TICK_MS = 1_000
/** Maximum number of ticks for which an ended login still gets values. */
const LOGIN_TICKS = 3

export type Viewer = {
  /** Its session, API token or kiosk link. */
  login: string
  /** Returns false if the reader is slow; the changes are sent later. */
  tell(values: string): boolean
  /**
   * The requested variables that it may still see. @throws if it may see nothing any more: the viewer has ended itself
   */
  again(): Promise<readonly Watched[]>
  end(): void
}

/** `turn` of a value: when it last changed, as a number that grows with each change in this process. */
type Value = Shown & { text: string; turn: number }
type Terminal = {
  sign: string
  row: Changed | null
  values: Map<number, Value>
  viewers: Set<Watching>
}
type Watching = {
  viewer: Viewer
  /** By terminal. */
  watched: Map<number, { place: string; variableIds: number[] }>
  due: Set<number>
  sentTurn: number
}

const NONE: ReadonlySet<string> = new Set()

type Db = Parameters<typeof readChanged>[0]
export type LiveHub = {
  /** Sends all values at once, then changes. Returns a function that removes the viewer. */
  join(viewer: Viewer, watched: readonly Watched[]): Promise<() => void>
  /** Checks again what the viewer may see. */
  review(viewer: Viewer): Promise<void>
  readonly size: number
}

/** @param onFault values cannot be read: the streams are closed, and their readers fall back to ordinary calls */
export function liveHub(db: Db, onFault: (error: unknown) => void, tickMs = TICK_MS): LiveHub {
  const terminals = new Map<number, Terminal>()
  const watchings = new Map<Viewer, Watching>()
  let turn = 0
  let ticks = 0
  let timer: NodeJS.Timeout | undefined
  let isBeating = false

  const refresh = (terminal: Terminal, value: Value, nowMs: number) => {
    const text = terminal.row ? shownText(terminal.row, value, nowMs) : value.text
    if (text === value.text) return false
    value.text = text
    value.turn = ++turn
    return true
  }
  /** Marks the terminal as changed for the viewers that show it. */
  const renew = (id: number, terminal: Terminal, nowMs: number) => {
    let changed = false
    for (const value of terminal.values.values()) changed = refresh(terminal, value, nowMs) || changed
    if (changed) for (const one of terminal.viewers) one.due.add(id)
  }
  /** A terminal that cannot be shown ends the streams that show it, and no others. */
  const renewOrEnd = (id: number, terminal: Terminal, nowMs: number) => {
    try {
      renew(id, terminal, nowMs)
    } catch (error) {
      close(terminal.viewers, error)
    }
  }

  const unwatch = (watching: Watching, ids: Iterable<number>) => {
    for (const id of ids) {
      const terminal = terminals.get(id)
      terminal?.viewers.delete(watching)
      if (terminal?.viewers.size === 0) terminals.delete(id)
    }
  }
  const watch = (watching: Watching, watched: readonly Watched[]) => {
    const before = watching.watched
    watching.watched = new Map()
    for (const { terminalId, variableId, slot, staleMs, place } of watched) {
      const terminal = terminals.get(terminalId) ?? {
        sign: '',
        row: null,
        values: new Map<number, Value>(),
        viewers: new Set<Watching>(),
      }
      terminals.set(terminalId, terminal)
      terminal.viewers.add(watching)
      const value = terminal.values.get(variableId) ?? { variableId, slot, staleMs, text: '', turn: 0 }
      terminal.values.set(variableId, Object.assign(value, { slot, staleMs }))
      const own = watching.watched.get(terminalId) ?? { place, variableIds: [] }
      own.variableIds.push(variableId)
      watching.watched.set(terminalId, own)
      watching.due.add(terminalId)
    }
    unwatch(
      watching,
      [...before.keys()].filter((id) => !watching.watched.has(id)),
    )
    const isSame = [...watching.watched].every(([id, { variableIds }]) => {
      const known = before.get(id)?.variableIds ?? []
      return variableIds.every((one) => known.includes(one))
    })
    // Of newly visible variables, unchanged values must be sent too.
    if (!isSame) watching.sentTurn = -1
    for (const id of watching.watched.keys()) {
      const terminal = terminals.get(id)
      if (terminal) renewOrEnd(id, terminal, Date.now())
    }
  }

  /** The terminal has moved or got another template since the permissions were checked: its values must not be sent. */
  const hasMoved = (watching: Watching) =>
    [...watching.due].some((id) => terminals.get(id)?.row?.place !== watching.watched.get(id)?.place)

  const tellDue = (watching: Watching) => {
    const texts: string[] = []
    const later = new Set<number>()
    for (const id of watching.due) {
      const terminal = terminals.get(id)
      const own = watching.watched.get(id)
      if (!own) continue
      // Not read yet, or moved since: with the next tick.
      if (!terminal?.row || terminal.row.place !== own.place) {
        later.add(id)
        continue
      }
      for (const variableId of own.variableIds) {
        const value = terminal.values.get(variableId)
        if (value && value.text !== '' && value.turn > watching.sentTurn) texts.push(value.text)
      }
    }
    if (texts.length > 0 && !watching.viewer.tell(texts.join(','))) return
    watching.due = later
    // The values that still wait may have changed before those that were sent now.
    if (later.size === 0) watching.sentTurn = turn
  }

  const read = async (some: ReadonlyMap<number, Terminal>) => {
    const nowMs = Date.now()
    for (const row of await readChanged(db, some)) {
      const terminal = terminals.get(row.terminalId)
      if (!terminal) continue
      const moved = terminal.row !== null && terminal.row.place !== row.place
      Object.assign(terminal, { sign: row.sign, row })
      renewOrEnd(row.terminalId, terminal, nowMs)
      if (moved) for (const one of terminal.viewers) one.due.add(row.terminalId)
    }
  }

  const review = async (watching: Watching) => {
    try {
      const watched = await watching.viewer.again()
      // It may have left meanwhile.
      if (watchings.get(watching.viewer) === watching) watch(watching, watched)
    } catch {
      leave(watching)
    }
  }
  const leave = (watching: Watching) => {
    unwatch(watching, watching.watched.keys())
    watching.watched = new Map()
    watching.due.clear()
    watchings.delete(watching.viewer)
    if (watchings.size > 0) return
    clearTimeout(timer)
    timer = undefined
  }

  const close = (some: Iterable<Watching>, error: unknown) => {
    onFault(error)
    for (const one of [...some]) {
      leave(one)
      one.viewer.end()
    }
  }

  const loginsOf = () => new Set([...watchings.keys()].map(({ login }) => login))

  /** There is one beat at a time: it plans the next one itself, for whoever has come while it was reading. */
  const plan = (ms: number) => {
    if (!isBeating && watchings.size > 0) timer ??= setTimeout(() => void beat(), ms)
  }

  const beat = async () => {
    const beganMs = performance.now()
    timer = undefined
    isBeating = true
    try {
      if (terminals.size > 0) await read(terminals)
      // Values also age without a report.
      const nowMs = Date.now()
      for (const [id, terminal] of terminals) renewOrEnd(id, terminal, nowMs)
      const ended = ticks++ % LOGIN_TICKS === 0 ? await readEnded(db, loginsOf()) : NONE
      await Promise.all(
        [...watchings.values()].filter((one) => hasMoved(one) || ended.has(one.viewer.login)).map(review),
      )
      for (const one of watchings.values()) if (one.due.size > 0) tellDue(one)
    } catch (error) {
      close(watchings.values(), error)
    }
    isBeating = false
    plan(Math.max(100, tickMs - (performance.now() - beganMs)))
  }

  return {
    async join(viewer, watched) {
      const watching: Watching = { viewer, watched: new Map(), due: new Set(), sentTurn: -1 }
      watchings.set(viewer, watching)
      watch(watching, watched)
      const fresh = [...watching.watched.keys()].flatMap((id) => {
        const terminal = terminals.get(id)
        return terminal && terminal.row === null ? [[id, terminal] as const] : []
      })
      try {
        if (fresh.length > 0) await read(new Map(fresh))
        tellDue(watching)
      } catch (error) {
        // Nobody else would remove it: the caller gets no function to do so.
        leave(watching)
        throw error
      }
      plan(tickMs)
      return () => leave(watching)
    },
    async review(viewer) {
      const watching = watchings.get(viewer)
      if (watching) await review(watching)
    },
    get size() {
      return watchings.size
    },
  }
}
