/** Which connections an account has: it is read for the first one, and forgotten with the last one. */
import type { Guard } from '../guard.ts'

type Held = { readonly guards: Set<Guard> }
type Tools<T extends Held> = {
  /** By account; a promise while the account is being read. */
  live: Map<number, T | Promise<T>>
  /** Rejects if the account is gone; its connections have been cut by then. */
  load(id: number, guards: Set<Guard>): Promise<T>
  connected(id: number, is: boolean): void
}

export function openConnections<T extends Held>({ live, load, connected }: Tools<T>) {
  /** While the account is being read, an earlier connection may leave, and the account be forgotten with it. */
  function join(guard: Guard, id: number): void {
    const known = live.get(id)
    if (known instanceof Promise) {
      known.then(
        () => join(guard, id),
        () => guard.cut('revoked'),
      )
      return
    }
    connected(id, true)
    if (known) {
      known.guards.add(guard)
      return
    }
    const loading = load(id, new Set([guard]))
    live.set(id, loading)
    loading.then(
      (made) => live.set(id, made),
      () => undefined,
    )
  }

  function leave(guard: Guard, id: number): void {
    const one = live.get(id)
    if (one instanceof Promise)
      one.then(
        () => leave(guard, id),
        () => undefined,
      )
    else if (one?.guards.delete(guard) && one.guards.size === 0) {
      live.delete(id)
      connected(id, false)
    }
  }

  return { join, leave }
}
