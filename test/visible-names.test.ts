/** Whatever a user names is told apart from others by sight: a name has something visible, and is one line. */
import { expect, it } from 'vitest'
import { z } from 'zod'
import { gatherDeclared } from '#infra/gather'
import { isCall } from '#schema/kit/call'
import { leavesIn } from './body-leaves.ts'

/** Compared with what there is, or ignored. */
const unstored = [
  'userLogin.username',
  ...['customerName', 'roleName', 'username'].map((name) => `user/updateUser.${name}`),
]

const made = (await gatherDeclared(isCall)).filter(({ writes, about }) => writes && about?.does !== 'uses')
const names = made
  .flatMap(({ name, body }) => [...leavesIn(body, name)])
  .filter(([path, schema]) => /name$|label$|caption$/i.test(path) && schema instanceof z.ZodString)

it('every name in a body that is stored has a visible character', () => {
  const taken = names.filter(([, schema]) =>
    ['\u200b', '\u200b \u200b', '\u3164', '\u2800', 'a\nb'].some((text) => schema.safeParse(text).success),
  )
  expect(names.length).toBeGreaterThan(30)
  expect(taken.map(([path]) => path).toSorted()).toEqual(unstored.toSorted())
})
