import { beforeAll, expect, it, vi } from 'vitest'
import { loadWords, startI18n } from '../kit/i18n.ts'
import { confirmTerminal, lossText, terminalLoss } from './terminal-loss.ts'

beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'en-US' })
  vi.stubGlobal('document', { documentElement: {}, getElementById: () => null })
  await startI18n()
  await loadWords(['terminal', 'kit'])
})

const boiler = { id: 1, name: 'Boiler', templateId: 7, deviceId: 3, deviceSn: 'GW-3' }

it('names what a terminal loses with another template, and nothing where nothing is lost', async () => {
  expect(lossText({ variables: 0, notices: [] })).toBe('')
  expect(lossText({ variables: 1, notices: [] })).toBe('The history of its 1 variable is no longer shown.')
  expect(lossText({ variables: 3, notices: ['Hot', 'Silent'] })).toBe(
    'The history of its 3 variables is no longer shown. Notices that will no longer cover it: Hot, Silent',
  )
  expect(await confirmTerminal(boiler, { templateId: '7', deviceId: '3' })).toBe(true)
})

it('names what is lost with another gateway: its reports that are not sent yet', async () => {
  expect(await terminalLoss(boiler, { templateId: '7', deviceId: '4' })).toEqual({
    title: 'Move terminal Boiler behind another gateway?',
    text: 'What the gateway GW-3 has recorded of it and not sent yet is not stored.',
    verb: 'Move the terminal',
  })
})
