/** Why a plan cannot be run: a gateway itself validates what it sends to slaves. */
import { requestFault } from '#schema/monitor/modbus/pdu'
import type { PlanDocument } from '#schema/monitor/wire'

/** null: the plan can be run. */
export function planFault({ buses, terminals }: PlanDocument, hasOwn: boolean): string | null {
  if (!hasOwn && buses.some(({ kind }) => kind === 'own')) return 'this device has no inputs and outputs'
  for (const { t, bus, reads, vars } of terminals) {
    if (!buses[bus]) return `terminal ${t}: there is no bus ${bus}`
    for (const { fn, address, count, bus: other } of reads) {
      if (other !== undefined && buses[other]?.kind !== 'own')
        return `terminal ${t}: bus ${other} is not the own one`
      const fault = requestFault({ fn, address, count })
      if (fault) return `terminal ${t}: function ${fn} at ${address} for ${count} has a wrong ${fault}`
    }
    const slots = new Set<number>()
    for (const { slot, read, at } of vars) {
      const its = reads[read]
      if (!its || at >= its.count) return `terminal ${t}: slot ${slot} is not part of read ${read}`
      if (slots.has(slot)) return `terminal ${t}: slot ${slot} twice`
      slots.add(slot)
    }
  }
  const unreachable = buses.findIndex(({ kind, host, serial }) =>
    kind === 'own' ? false : kind === 'rtu' ? !serial : !host,
  )
  return unreachable < 0 ? null : `bus ${unreachable} has no address`
}
