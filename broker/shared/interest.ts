/**
 * An index of subscriptions by the device that a topic belongs to: a message is never matched against filters of other
 * devices.
 */
import { matches, ownerOf } from '../acl.ts'

type Names = Map<string, Set<string>>

/** A device's own filters are found by its serial number; those of the platform's own connections are few. */
const ownerOfFilter = (filter: string): string => {
  const sn = ownerOf(filter)
  return sn === null || /[+#]/.test(sn) ? '' : sn
}

export class Interest {
  /** By owner (empty: any), then by filter: the names of the subscribers. */
  private readonly byOwner = new Map<string, Names>()
  private readonly filtersOf = new Map<string, Set<string>>()

  add(name: string, filter: string): void {
    const owner = ownerOfFilter(filter)
    const names: Names = this.byOwner.get(owner) ?? new Map()
    this.byOwner.set(owner, names)
    names.set(filter, (names.get(filter) ?? new Set()).add(name))
    this.filtersOf.set(name, (this.filtersOf.get(name) ?? new Set()).add(filter))
  }

  remove(name: string, filter: string): void {
    const owner = ownerOfFilter(filter)
    const names = this.byOwner.get(owner)
    const those = names?.get(filter)
    those?.delete(name)
    if (those?.size === 0) names?.delete(filter)
    if (names?.size === 0) this.byOwner.delete(owner)
    const own = this.filtersOf.get(name)
    own?.delete(filter)
    if (own?.size === 0) this.filtersOf.delete(name)
  }

  forget(name: string): void {
    for (const filter of [...(this.filtersOf.get(name) ?? [])]) this.remove(name, filter)
  }

  has(name: string): boolean {
    return this.filtersOf.has(name)
  }

  /** How many filters. */
  count(name: string): number {
    return this.filtersOf.get(name)?.size ?? 0
  }

  holds(name: string, filter: string): boolean {
    return this.filtersOf.get(name)?.has(filter) ?? false
  }

  /** All subscribers of this topic. */
  of(topic: string): Set<string> {
    const found = new Set<string>()
    for (const owner of [ownerOf(topic), ''])
      for (const [filter, names] of (owner !== null && this.byOwner.get(owner)) || [])
        if (matches(filter, topic)) for (const name of names) found.add(name)
    return found
  }

  wants(topic: string): boolean {
    for (const owner of [ownerOf(topic), ''])
      for (const filter of (owner !== null && this.byOwner.get(owner)?.keys()) || [])
        if (matches(filter, topic)) return true
    return false
  }
}
