import { expect, it } from 'vitest'
import { deviceDoc } from '../sample-doc.ts'
import { triedPage } from '../tried-page.ts'
import { sms } from './sms.ts'

const page = triedPage(sms, deviceDoc)
const [service] = page.values.senders
if (!service) throw new Error('the sample has a sender')

it('reads the whitelist', () => {
  expect(page.values).toMatchObject({ enabled: true, answers: true, perHour: 10 })
  expect(service).toMatchObject({ name: 'Service', number: '+8613800138000', may: ['status', 'reboot'] })
})

it('writes what a sender may ask for as a list', () => {
  expect(page.lines({ senders: [{ ...service, may: ['status'] }] }, 'sms')).toEqual(["- list may 'reboot'"])
})

it.each(['13800138000', '008613800138000', '+86 13800138000', '+0123456789', '+86x'])(
  '[§5] refuses the number %s, which has no country code, in the form and on the server',
  (number) => {
    const paths = ['senders.0.number']
    expect(page.bounds({ senders: [{ ...service, number }] })).toEqual({ server: paths, form: paths })
  },
)

it('refuses a duplicate number, and control from any number', () => {
  expect(page.faults({ senders: [service, { ...service, id: '' }] })).toEqual([
    'senders.1.number sms:fault.numberTaken',
  ])
  expect(page.faults({ senders: [] })).toEqual(['senders sms:fault.noSenders'])
  expect(page.faults({ enabled: false, senders: [] })).toEqual([])
})
