import { expect, it } from 'vitest'
import { addNorth } from './north.ts'
import {
  composeAlarm,
  composeReport,
  composeTopic,
  isNorthTopic,
  whyTemplateRefused,
} from './north-message.ts'
import type { NorthReport } from './north-report.ts'

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
  ['{{#values}}m,t={{terminal|tag}} {{atNs}}{{/values}}', 'line protocol'],
  ['m,t={{terminal|tag}} v={{values}} {{atNs}}x', 'line protocol'],
  ['{{#values}}m,t={{sceret|tag}} v={{value}}{{/values}}', '{{sceret|tag}}'],
])('the template %s is refused', (template, why) => {
  expect(whyTemplateRefused(template)).toBe(why)
})

const many = (count: number, part: string) => Array.from({ length: count }, () => part).join()
// A terminal may have a thousand values, each as long as its name.
it.each([
  ['all values, for each value', `[{{#values}}[${many(350, '{{values}}')}]{{/values}}]`, '{{values}}'],
  ['all values, hundreds of times', `[${many(350, '{{values}}')}]`, '> 4 MiB'],
  ['hundreds of names, for each value', `[{{#values}}[${many(300, '{{project}}')}]{{/values}}]`, '> 4 MiB'],
  ['two thousand lists in each other', `${'['.repeat(1_990)}{{values}}${']'.repeat(1_980)}`, 'JSON'],
])('a template of %s is refused', (_, template, why) => {
  expect(template.length).toBeLessThanOrEqual(4_000)
  expect(whyTemplateRefused(template)).toBe(why)
})

it('a template with everything about each value is allowed', () => {
  const all = ['project', 'sn', 'device', 'terminal', 'at', 'variable', 'value', 'unit', 'quality']
  const row = all.map((name) => `"${name}": {{${name}}}`).join()
  expect(whyTemplateRefused(`[{{#values}}{${row}}{{/values}}]`)).toBeNull()
})

it('a name in a topic is one level, whatever it contains', () => {
  const of = { project: 'a/b', sn: 'GW-7', terminal: '#+', terminalId: 12 }
  expect(composeTopic('plant/{project}/{sn}/{terminal}/{terminalId}/{type}', of, 'values')).toBe(
    'plant/a_b/GW-7/__/12/values',
  )
})

it.each([
  ['{terminal}/values', '_SYS/values'],
  ['{terminal}', '_SYS'],
  ['$aws/{terminal}', '$aws/$SYS'],
])(
  'the topic "%s" with a terminal called $SYS is "%s": only what was written so begins with $',
  (topic, composed) => {
    expect(composeTopic(topic, { project: '', sn: '', terminal: '$SYS', terminalId: 1 }, 'values')).toBe(
      composed,
    )
  },
)

it.each([
  ['$S{terminal}/x', 'YS', '_SYS/x'],
  ['{project}{terminal}/x', '$share', '_share_/x'],
  ['a/{terminal}', '1\u00002\n', 'a/1_2_'],
])('in the topic "%s" the name %j makes %j', (topic, name, composed) => {
  const of = topic.includes('project') ? { project: name, terminal: '' } : { project: '', terminal: name }
  expect(composeTopic(topic, { ...of, sn: '', terminalId: 1 }, 'values')).toBe(composed)
})

it('a template with a tag makes lines for InfluxDB: names escaped, unknown values left out, the time in ns', () => {
  const lines = `{{#values}}modbus,project={{project|tag}},terminal={{terminal|tag}} {{variable|tag}}={{value}} {{atNs}}{{/values}}`
  expect(whyTemplateRefused(lines)).toBeNull()
  const of = { ...report, values: { Voltage: 229.5, Flow: null, 'Mode, "x"=\\\n': 'a "b" \\ c\nd' } }
  expect(composeReport(of, lines).split('\n')).toEqual([
    'modbus,project=Plant\\ 3,terminal=Meter\\ "A" Voltage=229.5 1795334400000000000',
    'modbus,project=Plant\\ 3,terminal=Meter\\ "A" Mode\\,\\ "x"\\=/\\ ="a \\"b\\" \\\\ c d" 1795334400000000000',
  ])
  expect(composeReport({ ...report, values: { Flow: null } }, lines)).toBe('')
  const alarm = {
    ...report,
    id: 3,
    rule: 'Too hot',
    severity: 'major',
    subject: '',
    value: 61.5,
    threshold: null,
    startedAt: report.at,
    endedAt: null,
    times: 1,
  }
  expect(composeAlarm({ ...alarm, state: 'active' }, lines)).toBe(
    'alarm,project=Plant\\ 3,sn=GW-7,device=Gate,subject=-,rule=Too\\ hot,severity=major id=3,active=true,times=1,value=61.5 1795334400000000000',
  )
})

it('a line that names would end early, or make a comment, is still one that InfluxDB takes', () => {
  const lines = `{{#values}}{{project|tag}},terminal={{terminal|tag}} {{variable|tag}}={{value}} {{atNs}}{{/values}}`
  const of = { ...report, project: '#1 hall', terminal: 'C:\\meters\\', values: { V: 1, W: 2 } }
  expect(composeReport(of, lines).split('\n')).toEqual([
    '-#1\\ hall,terminal=C:/meters/ V=1 1795334400000000000',
    '-#1\\ hall,terminal=C:/meters/ W=2 1795334400000000000',
  ])
})

it.each(['a/+', 'a/#', '$SYS/x', '$sys', '$share/g/x', 'a/{password}', 'a/{no pe}', 'a/{sn', 'a/sn}', ''])(
  'the topic "%s" is refused',
  (topic) => {
    expect(isNorthTopic(topic)).toBe(false)
  },
)

it.each(['mqtt://broker:0', 'https://example.com:0/in', 'kafka://a:9092,b:0', 'mqtts://u:1@broker:00'])(
  'the address "%s" is refused: no service listens on port 0',
  (secretAddress) => {
    const { shape } = addNorth.body
    expect(shape.secretAddress.safeParse(secretAddress).success).toBe(false)
    expect(shape.secretAddress.safeParse(secretAddress.replace(/:0+/, ':10')).success).toBe(true)
  },
)

it('an address may have :0 elsewhere', () => {
  for (const address of ['https://example.com/in:0', 'mqtt://[::0]:1883', 'mqtt://u:0@broker'])
    expect(addNorth.body.shape.secretAddress.safeParse(address).success, address).toBe(true)
})
