import { expect, it } from 'vitest'
import type { Log } from '../log.ts'
import { watchOutage } from './outage.ts'

it('an outage is one line at its beginning, one a minute while it lasts, and one at its end', () => {
  let at = 0
  const lines: string[] = []
  const log = {
    debug: () => undefined,
    warn: ({ err, failures }: { err: Error; failures: number }, text: string) =>
      lines.push(`${at / 1000} s ${text}: ${err.message}, ${failures}`),
    info: (text: string) => lines.push(`${at / 1000} s ${text}`),
  }
  const outage = watchOutage(log as unknown as Log, 'Redis', () => at)
  const away = new Error('ECONNREFUSED')
  outage.works()
  for (at = 1_000; at <= 130_000; at += 1_000) outage.failed(away)
  outage.works()
  outage.works()
  // So soon after the last line another one is only worth its own if it lasts.
  outage.failed(away)
  outage.works()
  for (at = 135_000; at <= 185_000; at += 1_000) outage.failed(away)
  outage.works()
  expect(lines).toEqual([
    '1 s Redis: ECONNREFUSED, 1',
    '61 s Redis: ECONNREFUSED, 61',
    '121 s Redis: ECONNREFUSED, 121',
    '131 s Redis: works again after 130 s',
    '181 s Redis: ECONNREFUSED, 47',
    '186 s Redis: works again after 51 s',
  ])
})
