import { expect, it } from 'vitest'
import { parseTemplate, TEMPLATE_FORMAT, variableAt } from './document.ts'

const document = (facts: object) => JSON.stringify({ format: TEMPLATE_FORMAT, variables: [], ...facts })

it('a template is read from its document, without the format', () => {
  expect(parseTemplate(document({ name: 'Boiler', maxGap: 3 }))).toEqual({
    name: 'Boiler',
    maxGap: 3,
    variables: [],
  })
})

it.each([undefined, null, 5, {}])(
  'the name of a document that has none (%j) is left to be typed in',
  (name) => {
    expect(parseTemplate(document({ name }))?.name).toBe('')
  },
)

it.each(['', 'null', '[]', '5', '{', '{"name":"x","variables":[]}', document({ variables: {} })])(
  'is no template: %s',
  (text) => expect(parseTemplate(text)).toBeNull(),
)

it('a refused field is that of a variable, by its name', () => {
  const variables = [{ name: 'U' }, { name: ' ' }, null]
  expect(variableAt('variables.0.factor', variables)).toBe('U')
  expect(variableAt('variables.1.name', variables)).toBe('2')
  expect(variableAt('variables.2', variables)).toBe('3')
  for (const field of [undefined, 'name', 'variables', 'variablesX.1'])
    expect(variableAt(field, variables)).toBeNull()
})
