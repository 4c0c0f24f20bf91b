/** Hand-made inputs say what is declared: the same label as a refusal of the field, and its bounds. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import i18next from 'i18next'
import { describe, expect, it, vi } from 'vitest'
import { languages } from '#schema/kit/refusal'
import { bindEmail } from '#schema/people/profile'
import { changePassword, emailLogin, userLogin } from '#schema/people/session'
import { addLevelUp } from '#schema/task/upgrade'

vi.mock('../session.ts', () => ({ language: () => 'en-US' }))
const { declaredForm, declaredProps, declaredTexts } = await import('./forms.ts')
const { openProps } = await import('./open-forms.ts')
const { fieldLabel } = await import('#api/kit/field-label')

const root = join(import.meta.dirname, '../../..')
/** What the login page, the dialogs of the user menu and the wizard draw by hand. */
const drawn = [
  [userLogin, ['username', 'password']],
  [emailLogin, ['email', 'password']],
  [changePassword, ['oldpassword', 'newpassword', 'confirmPassword']],
  [bindEmail, ['email', 'passwd']],
  [
    addLevelUp,
    [
      'name',
      'description',
      'keepConfig',
      'startAt',
      'waitOfflineMinutes',
      'server',
      'maxFailures',
      'maxFailurePercent',
      'maxInFlight',
    ],
  ],
] as const

describe.each(languages)('in %s', (language) => {
  it.each(drawn)('$name: labels are those of refusals', async (call, names) => {
    await i18next.init({ lng: language, resources: {}, interpolation: { prefix: '{', suffix: '}' } })
    for (const word of ['session', 'profile', 'upgrade'])
      i18next.addResourceBundle(
        language,
        word,
        JSON.parse(readFileSync(join(root, 'locales', language, `${word}.json`), 'utf8')),
      )
    const labels = names.map((name) => declaredTexts(call, name).label)
    expect(labels).toEqual(names.map((name) => fieldLabel(call, name, language)))
    expect(labels.filter((label, i) => label === names[i] || label.includes(':'))).toEqual([])
  })
})

it('bounds and help are declared, and a field with a default is not required', () => {
  expect(declaredProps(addLevelUp, 'maxFailurePercent')).toMatchObject({
    min: 1,
    max: 100,
    withAsterisk: false,
  })
  expect(declaredProps(addLevelUp, 'name')).toMatchObject({ maxLength: 64, withAsterisk: true })
  expect(declaredTexts(addLevelUp, 'keepConfig').description).toBeTruthy()
  expect(declaredProps(changePassword, 'newpassword').description).toBeTruthy()
  expect(openProps(userLogin, 'username')).toMatchObject({ maxLength: 64, withAsterisk: true })
})

it('the login page loads only the forms that need no login', async () => {
  const { default: open } = await import('virtual:open-forms')
  expect(Object.keys(open)).toContain(userLogin.name)
  expect(Object.keys(open)).not.toContain(addLevelUp.name)
  expect(() => openProps(addLevelUp, 'name')).toThrow('without a login')
  expect(declaredForm(userLogin).word).toBe('session')
})
