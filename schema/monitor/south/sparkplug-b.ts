/**
 * Sparkplug B as its host: births declare names, aliases and types; data comes by alias; a gap in the sequence, or an alias
 * that no birth declared, asks the node for a new birth; deaths end what is known. Terminals are called
 * `group/node` and `group/node/device`.
 */
import { type SouthReading, type SouthSample, southAdapter } from './adapter.ts'
import { unreadable } from './json.ts'
import {
  isAmbiguous,
  type Metric,
  metricValue,
  readSparkplug,
  rebirthRequest,
  type SparkplugPayload,
} from './sparkplug-payload.ts'

type Known = { name: string; type: number }
type Node = {
  seq: number | null
  bdSeq: bigint | null
  /** Aliases are of the node: its devices share them. */
  byAlias: Map<bigint, Known>
  types: Map<string, number>
  askedAt: number
  usedAt: number
}

const NODES_MAX = 500
const METRICS_MAX = 20_000
/** Of all nodes of an account together: the node that was silent for longest is forgotten, and asked for a new birth when it comes back. */
const METRICS_ALL_MAX = 200_000
/** A node that cannot give birth must not be asked without end. */
const ASK_EVERY_MS = 60_000
const ownNames = new Set(['bdSeq', 'Node Control/Rebirth', 'Node Control/Reboot'])

/** In a birth a metric has the time at which it last changed; it still has that value when the birth is sent. */
const timeOf = ({ at, isHistorical }: Metric, sentAt: number | null, isBirth: boolean) =>
  isBirth && !isHistorical && at !== null && sentAt !== null ? Math.max(at, sentAt) : (at ?? sentAt)

const bdSeqOf = ({ metrics }: SparkplugPayload) =>
  metrics.find(({ name }) => name === 'bdSeq')?.value?.value ?? null

/** What is known already is renewed, however many there are: an alias that kept its former meaning would name other values. */
function put<K, V>(known: Map<K, V>, key: K, value: V): void {
  if (known.size < METRICS_MAX || known.has(key)) known.set(key, value)
}

export const sparkplugB = southAdapter({
  name: 'sparkplugB',
  topics: ['spBv1.0/#'],
  open: () => {
    const nodes = new Map<string, Node>()

    function nodeOf(key: string, now: number): Node {
      const known = nodes.get(key)
      if (known) {
        known.usedAt = now
        return known
      }
      if (nodes.size >= NODES_MAX) {
        const [oldest] = [...nodes].sort(([, a], [, b]) => a.usedAt - b.usedAt)
        if (oldest) nodes.delete(oldest[0])
      }
      const made: Node = {
        seq: null,
        bdSeq: null,
        byAlias: new Map(),
        types: new Map(),
        askedAt: Number.NEGATIVE_INFINITY,
        usedAt: now,
      }
      nodes.set(key, made)
      return made
    }

    function forget(but: Node): boolean {
      const [oldest] = [...nodes]
        .filter(([, node]) => node !== but)
        .sort(([, a], [, b]) => a.usedAt - b.usedAt)
      if (oldest) nodes.delete(oldest[0])
      return oldest !== undefined
    }
    const declared = () => [...nodes.values()].reduce((sum, { types }) => sum + types.size, 0)

    const declare = (node: Node, source: string, metrics: readonly Metric[]) => {
      while (declared() + metrics.length > METRICS_ALL_MAX && forget(node));
      for (const { name, alias, type } of metrics) {
        if (name === null) continue
        put(node.types, `${source}\n${name}`, type)
        if (alias !== null) put(node.byAlias, alias, { name, type })
      }
    }

    function samplesOf(
      node: Node,
      source: string,
      { at, metrics }: SparkplugPayload,
      now: number,
      isBirth: boolean,
    ) {
      const samples: SouthSample[] = []
      let unknown = false
      for (const metric of metrics) {
        const known =
          metric.name !== null
            ? { name: metric.name, type: metric.type || node.types.get(`${source}\n${metric.name}`) || 0 }
            : metric.alias !== null
              ? node.byAlias.get(metric.alias)
              : undefined
        unknown ||= known === undefined
        if (!known || ownNames.has(known.name)) continue
        // The birth of the node was not received, as behind a bridge: no value is better than a wrong one.
        if (metric.value && !metric.isNull && isAmbiguous(metric.value, metric.type || known.type)) {
          unknown = true
          continue
        }
        const none = metric.isNull || metric.quality !== null
        const value = none
          ? null
          : metric.value
            ? metricValue(metric.value, metric.type || known.type)
            : undefined
        if (value === undefined) continue
        samples.push({
          source,
          name: known.name,
          at: timeOf(metric, at, isBirth) ?? now,
          value,
          ...(metric.quality === null ? {} : { quality: metric.quality }),
          ...(metric.isHistorical ? { late: true as const } : { current: true as const }),
        })
      }
      return { samples, unknown }
    }

    /** At most once a minute, whatever happens. */
    function ask(node: Node, group: string, edge: string, now: number): SouthReading['answers'] {
      if (now - node.askedAt < ASK_EVERY_MS) return []
      node.askedAt = now
      return [{ topic: `spBv1.0/${group}/NCMD/${edge}`, payload: rebirthRequest(now) }]
    }

    return {
      read: ({ topic, payload, now }): SouthReading => {
        const [space, group = '', type, edge = '', device, more] = topic.split('/')
        // STATE of hosts, and commands of others.
        if (space !== 'spBv1.0' || group === 'STATE' || type === 'NCMD' || type === 'DCMD')
          return { samples: [] }
        const said = readSparkplug(payload)
        const ofNode = type === 'NBIRTH' || type === 'NDATA' || type === 'NDEATH'
        const ofDevice = type === 'DBIRTH' || type === 'DDATA' || type === 'DDEATH'
        if (!said || more !== undefined || group === '' || edge === '') return unreadable
        if (ofNode ? device !== undefined : !ofDevice || !device) return unreadable
        const own = `${group}/${edge}`
        const source = ofNode ? own : `${own}/${device}`
        const node = nodeOf(own, now)
        if (type === 'NDEATH') {
          // The will of a connection that is over already.
          const current = node.bdSeq === null || bdSeqOf(said) === node.bdSeq
          return { samples: [], ended: current ? [{ source, at: now }] : [] }
        }
        if (type === 'NBIRTH') {
          Object.assign(node, { seq: null, bdSeq: bdSeqOf(said), byAlias: new Map(), types: new Map() })
        }
        const gap = node.seq !== null && said.seq !== (node.seq + 1) % 256
        node.seq = said.seq
        const isBirth = type === 'NBIRTH' || type === 'DBIRTH'
        if (isBirth) declare(node, source, said.metrics)
        if (type === 'DDEATH') return { samples: [], ended: [{ source, at: now }] }
        const { samples, unknown } = samplesOf(node, source, said, now, isBirth)
        return {
          samples,
          ...(gap || unknown ? { answers: ask(node, group, edge, now) ?? [] } : {}),
          ...(unknown ? { fault: 'unknownMetric' as const } : {}),
        }
      },
    }
  },
})
