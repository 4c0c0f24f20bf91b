import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { endedText } from './ended-text.ts'
import { loadWords, startI18n } from './i18n.ts'

beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'zh-CN' })
  vi.stubGlobal('document', { documentElement: {}, getElementById: () => null })
  await startI18n()
  await loadWords(['task'])
})

const sourcesIn = (folder: string) =>
  readdirSync(new URL(folder, import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map(({ name }) => readFileSync(new URL(name, new URL(folder, import.meta.url)), 'utf8'))
    .join('\n')
const simulator = sourcesIn('../../device-sim/config/')
const agent = ['lib/iotagent/', 'sbin/']
  .map((folder) => sourcesIn(`../../agent/openwrt/files/usr/${folder}`))
  .join('\n')

describe('why a change of the configuration ended, as devices say it, is said in the language of the user', () => {
  it.each([
    ['not confirmed within 90 s', 'not confirmed within ', '90 秒内未得到平台确认', [simulator, agent]],
    [
      'restarted before it was confirmed',
      'restarted before it was confirmed',
      '在确认之前重启了',
      [simulator],
    ],
    [
      'the device was restarted during the trial',
      'the device was restarted during the trial',
      '在确认之前重启了',
      [agent],
    ],
    ['the platform took it back', 'the platform took it back', '平台撤回了变更', [simulator]],
    ['told to by the platform', 'told to by the platform', '平台撤回了变更', [agent]],
    ['the agent was interrupted', 'the agent was interrupted', '设备上的代理程序被中断', [agent]],
    [
      'network is not what the change is based on',
      ' is not what the change is based on',
      'network 期间在设备上被改动',
      [simulator, agent],
    ],
    [
      'another package is not what the platform knows',
      'another package is not what the platform knows',
      '设备上的其他软件包配置已被改动',
      [simulator, agent],
    ],
    ['another change is on trial', 'another change is on trial', '另一项变更正在试运行', [agent]],
    [
      'busy: a change of the configuration is on trial',
      'busy: a change of the configuration is on trial',
      '设备忙：另一项变更正在试运行',
      [simulator],
    ],
    [
      'somebody is trying a change in the web page of the device',
      'somebody is trying a change in the web page of the device',
      '有人正在设备的网页上试用变更',
      [simulator, agent],
    ],
    [
      'firewall has uncommitted changes on the device',
      ' has uncommitted changes on the device',
      'firewall 在设备上有未提交的更改',
      [simulator],
    ],
    [
      'uncommitted changes of firewall on the device (uci changes)',
      'uncommitted changes of ',
      'firewall 在设备上有未提交的更改',
      [agent],
    ],
    [
      'told to by the platform; changed on the device meanwhile and left as it is: network',
      '; changed on the device meanwhile and left as it is:',
      '平台撤回了变更；期间在设备上被改动而保持原样：network',
      [agent],
    ],
    [
      'the platform took it back; changed meanwhile and left as it is: network, firewall',
      '; changed meanwhile and left as it is: ',
      '平台撤回了变更；期间在设备上被改动而保持原样：network, firewall',
      [simulator],
    ],
  ])('%s', (detail, sentence, text, sources) => {
    for (const source of sources) expect(source).toContain(sentence)
    expect(endedText(detail)).toBe(text)
  })

  it('after the outcome, as in the list of devices of a task', () => {
    expect(endedText('reverted: not confirmed within 90 s')).toBe('已恢复：90 秒内未得到平台确认')
    expect(endedText('conflict: network is not what the change is based on')).toBe(
      '冲突：network 期间在设备上被改动',
    )
  })
})

it('what a device says in words of its own is quoted', () => {
  expect(endedText('the modem sulked')).toBe('“the modem sulked”')
  expect(endedText('rejected: network: the port is taken')).toBe('被拒绝：“network: the port is taken”')
})

it('a reason of the platform is said in the language of the user', () => {
  expect(endedText('backWith:1.4.1')).not.toContain('backWith')
})
