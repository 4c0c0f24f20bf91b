/** The broker's Prometheus metrics. Created once per registry: tests start several brokers in one process. */
import { Counter, Gauge, Histogram } from 'prom-client'
import type { Metrics } from '#infra/metrics'

export type BrokerMetrics = ReturnType<typeof openMetrics>

const ROWS = [1, 5, 20, 50, 100, 200, 500, 1000, 2000, 5000]
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 20]

/** `connections` and `held` are called when the metrics are read. */
export function openMetrics(registry: Metrics, now: { connections(): number; held(): number }) {
  registry.removeSingleMetric('mqtt_connections')
  registry.removeSingleMetric('mqtt_held_acknowledgements')
  const registers = [registry]
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  gauge('mqtt_connections', 'Open MQTT connections', now.connections)
  gauge('mqtt_held_acknowledgements', 'Messages waiting for their commit', now.held)
  const counter = (name: string, help: string, labelNames: string[]) =>
    (registry.getSingleMetric(name) as Counter | undefined) ??
    new Counter({ name, help, labelNames, registers })
  const histogram = (name: string, help: string, buckets: number[]) =>
    (registry.getSingleMetric(name) as Histogram | undefined) ??
    new Histogram({ name, help, labelNames: ['table'], buckets, registers })
  // Counted in plain numbers, at 100,000 a second, and exported when the metrics are read.
  const classes = { hot: 0, report: 0, other: 0 }
  registry.removeSingleMetric('mqtt_messages_total')
  new Counter({
    name: 'mqtt_messages_total',
    help: 'Messages from devices by class',
    labelNames: ['class'],
    registers,
    collect() {
      this.reset()
      for (const [name, count] of Object.entries(classes)) this.inc({ class: name }, count)
    },
  })
  const refused = counter('mqtt_refused_total', 'Refused connections, packets and payloads by reason', [
    'reason',
  ])
  const logins = counter('mqtt_logins_total', 'CONNECTs by outcome', ['outcome'])
  const rows = histogram('mqtt_commit_rows', 'Rows of one group commit', ROWS)
  const seconds = histogram('mqtt_commit_seconds', 'Duration of one group commit', SECONDS)
  return {
    count: (name: keyof typeof classes) => void classes[name]++,
    refused: (reason: string) => refused.inc({ reason }),
    login: (outcome: string) => logins.inc({ outcome }),
    committed: (table: string, count: number, took: number) => {
      rows.observe({ table }, count)
      seconds.observe({ table }, took)
    },
  }
}
