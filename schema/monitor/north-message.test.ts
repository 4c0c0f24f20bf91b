import { expect, it } from 'vitest'
import {
  composeReport,
  composeTopic,
  isNorthTopic,
  type NorthReport,
  whyTemplateRefused,
} from './north-message.ts'

const report: NorthReport = {
  project: 'Plant 3',
  sn: 'GW-7',
  device: 'Gate',
  terminalId: 12,
  terminal: 'Meter "A"',
  serial: null,
  at: new Date('2026-11-22T08:00:00Z'),
  values: { Voltage: 229.5, Flow: null },
  quality: { Flow: 'timeout' },
  units: { Voltage: 'V', Flow: 'l/s' },
}

it('a report is our JSON, or the JSON of a template in which placeholders stand for whole values', () => {
  expect(JSON.parse(composeReport(report, null))).toEqual({
    type: 'values',
    project: 'Plant 3',
    sn: 'GW-7',
    device: 'Gate',
    terminalId: 12,
    terminal: 'Meter "A"',
    serial: null,
    at: '2026-11-22T08:00:00.000Z',
    values: { Voltage: 229.5, Flow: null },
    quality: { Flow: 'timeout' },
  })
  const own = '{"who": {{terminal}}, "ts": {{atMs}}, "data": [{{values}}]}'
  expect(whyTemplateRefused(own)).toBeNull()
  expect(JSON.parse(composeReport(report, own))).toEqual({
    who: 'Meter "A"',
    ts: 1_795_334_400_000,
    data: [{ Voltage: 229.5, Flow: null }],
  })
})

it('a part of a template is repeated for each value; a name that looks like a placeholder is none', () => {
  const rows =
    '[{{#values}}{"of":{{terminal}},"n":{{variable}},"v":{{value}},"u":{{unit}},"q":{{quality}}}{{/values}}]'
  expect(whyTemplateRefused(rows)).toBeNull()
  expect(JSON.parse(composeReport({ ...report, terminal: '{{#values}}{{sn}}{{/values}}' }, rows))).toEqual([
    { of: '{{#values}}{{sn}}{{/values}}', n: 'Voltage', v: 229.5, u: 'V', q: 'good' },
    { of: '{{#values}}{{sn}}{{/values}}', n: 'Flow', v: null, u: 'l/s', q: 'timeout' },
  ])
  expect(JSON.parse(composeReport({ ...report, values: {} }, rows))).toEqual([])
})

it.each([
  'devices/{sn}/messages/events/$.ct=application%2Fjson&$.ce=utf-8',
  '$aws/things/{sn}/shadow/update',
])('the topic "%s" of a cloud service is allowed', (topic) => {
  expect(isNorthTopic(topic)).toBe(true)
})

it.each([
  ['{"a": {{variable}}}', '{{variable}}'],
  ['[{{#values}}{{secret}}{{/values}}]', '{{secret}}'],
  ['[{{#values}}{{value}}]', '{{value}}'],
  ['[{{#values}}{{/values}}', 'JSON'],
  ['{"a": {{secret}}}', '{{secret}}'],
  ['{"a": {{constructor}}}', '{{constructor}}'],
  ['{"a": "{{terminal}}"}', 'JSON'],
  ['{"a": {{sn}}', 'JSON'],
])('the template %s is refused', (template, why) => {
  expect(whyTemplateRefused(template)).toBe(why)
})

it('a name in a topic is one level, whatever it contains', () => {
  const of = { project: 'a/b', sn: 'GW-7', terminal: '#+', terminalId: 12 }
  expect(composeTopic('plant/{project}/{sn}/{terminal}/{terminalId}/{type}', of, 'values')).toBe(
    'plant/a_b/GW-7/__/12/values',
  )
})

it.each(['a/+', 'a/#', '$SYS/x', '$sys', '$share/g/x', 'a/{password}', ''])(
  'the topic "%s" is refused',
  (topic) => {
    expect(isNorthTopic(topic)).toBe(false)
  },
)
