import { describe, expect, it } from 'vitest'
import { deviceDoc } from '../sample-doc.ts'
import { triedPage } from '../tried-page.ts'
import { deviceUser } from './device-user.ts'

const page = triedPage(deviceUser, deviceDoc)
const [root, guest] = page.values.logins
if (!root || !guest) throw new Error('the sample has two logins')

it('reads who may log in; the hash of a password is not shown', () => {
  expect(page.values).toMatchObject({ passwordLogin: false, rootPasswordLogin: true, maxTries: 3 })
  expect(page.values.logins).toEqual([
    { id: '@0', username: 'root', account: 'root', access: 'full' },
    { id: '@1', username: 'guest', account: '', access: 'read' },
  ])
})

it('keeps the hash and the rights of a login that is renamed', () => {
  expect(page.lines({ logins: [root, { ...guest, username: 'visitor' }] }, 'rpcd')).toEqual([
    "- option username 'guest'",
    "+ option username 'visitor'",
  ])
})

it('gives a new login the password of an account, and never none', () => {
  const added = { id: '', username: 'shop', account: 'operator', access: 'full' as const }
  expect(page.lines({ logins: [root, guest, added] }, 'rpcd')).toEqual([
    '+ config login',
    "+ list read '*'",
    "+ option username 'shop'",
    "+ option password '$p$operator'",
    "+ list write '*'",
  ])
  expect(page.faults({ logins: [root, guest, { ...added, account: '' }] })).toEqual([
    'logins.2.account device-user:fault.noPassword',
  ])
  expect(page.faults({ logins: [{ ...root, account: '' }, guest] })).toEqual([
    'logins.0.account device-user:fault.noPassword',
  ])
})

it('refuses a name twice, and rights that only the device can set', () => {
  expect(page.faults({ logins: [root, { ...guest, username: 'root', access: 'custom' }] })).toEqual([
    'logins.1.username device-user:fault.nameTaken',
    'logins.1.access device-user:fault.notCustom',
  ])
})

it('refuses bad values in the form and on the server', () => {
  const paths = ['maxTries', 'idleS', 'logins.0.account']
  const wrong = { maxTries: 0, idleS: -1, logins: [{ ...root, account: 'a b' }] }
  expect(page.bounds(wrong)).toEqual({ server: paths, form: paths })
})

describe('the keys that may log in', () => {
  const line = (name: string) =>
    `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIVlYAbrutFnbPDuGSomtCxnAj9vKPninAE6esN+6byc ${name}`
  const keys = [{ id: '', line: line('shop') }]

  it('become sections of the package that the agent carries out', () => {
    expect(page.lines({ keys }, 'sshkeys')).toEqual([
      '+ package sshkeys',
      '+ config key',
      `+ option line '${line('shop')}'`,
    ])
  })

  it('are refused where nothing carries them out, and when they are repeated', () => {
    expect(page.faults({ keys })).toEqual(['keys device-user:fault.keysUnsupported'])
    expect(page.faults({ keys }, ['sshKeys'])).toEqual([])
    expect(page.faults({ keys: [...keys, ...keys] }, ['sshKeys'])).toEqual([
      'keys.1.line device-user:fault.keyRepeated',
    ])
  })

  it('are refused in the form and on the server when they are no whole public key', () => {
    for (const bad of [
      line('shop').replace('NTE5', 'NTE4'),
      '-----BEGIN OPENSSH PRIVATE KEY-----',
      'ssh-rsa',
    ])
      expect(page.bounds({ keys: [{ id: '', line: bad }] }), bad).toEqual({
        server: ['keys.0.line'],
        form: ['keys.0.line'],
      })
  })
})
