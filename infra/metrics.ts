/** Prometheus metrics: base units, `_total` for counters. */
import { collectDefaultMetrics, Registry } from 'prom-client'

export type Metrics = Registry

export function openMetrics(room: string): Metrics {
  const registry = new Registry()
  registry.setDefaultLabels({ room })
  collectDefaultMetrics({ register: registry })
  return registry
}
