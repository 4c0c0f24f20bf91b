import { beforeAll, expect, it, vi } from 'vitest'
import { loadWords, startI18n } from '../kit/i18n.ts'
import { confirmTemplate, lossText } from './terminal-template-loss.ts'

beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'en-US' })
  vi.stubGlobal('document', { documentElement: {}, getElementById: () => null })
  await startI18n()
  await loadWords(['terminal', 'kit'])
})

it('names what a terminal loses with another template, and nothing where nothing is lost', async () => {
  expect(lossText({ variables: 0, notices: [] })).toBe('')
  expect(lossText({ variables: 1, notices: [] })).toBe('The history of its 1 variable is no longer shown.')
  expect(lossText({ variables: 3, notices: ['Hot', 'Silent'] })).toBe(
    'The history of its 3 variables is no longer shown. Notices that will no longer cover it: Hot, Silent',
  )
  expect(await confirmTemplate({ id: 1, name: 'Boiler', templateId: 7 }, { templateId: '7' })).toBe(true)
})
