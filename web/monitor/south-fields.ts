/** The form of a southbound account: the mapping fields are shown for no other format. */
import type { getSouthList } from '#schema/monitor/south'
import type { Field, FormValues } from '../kit/form/form-model.ts'
import { textsIn } from '../kit/i18n.ts'
import type { Row } from '../kit/list/list-types.ts'
import { useProjectOptions } from './place-filters.ts'

export type SouthAccount = Row<typeof getSouthList>

export const southKindOptions = () =>
  Object.entries(textsIn('south:kind')).map(([value, label]) => ({ value, label }))

/** Their topics are fixed. */
const fixed = ['thingsboard']

/** @param kind of an account that exists: it stays what it is */
export function mappingFields(kind?: string): readonly Field[] {
  const when = (values: FormValues) => (kind ?? values['kind']) === 'mapping'
  return [
    { name: 'terminalAt', hint: 'south:terminalHint', placeholder: 'topic/2', required: true, when },
    { name: 'valuesAt', hint: 'south:valuesHint', placeholder: '/data', when },
    { name: 'nameAt', hint: 'south:nameHint', placeholder: '/name', when },
    { name: 'valueAt', placeholder: '/value', when },
    { name: 'named', hint: 'south:namedHint', placeholder: 'Voltage = /data/u', when },
    { name: 'timeAt', hint: 'south:timeHint', placeholder: '/ts', when },
    { name: 'rowsAt', hint: 'south:rowsHint', placeholder: '/rows', when },
  ]
}

export const southFields = (row: SouthAccount | null): readonly (Field | string)[] => [
  ...(row
    ? []
    : ([
        { name: 'projectId', required: true, useOptions: useProjectOptions },
        { name: 'kind', required: true, choices: () => textsIn('south:kind') },
      ] satisfies Field[])),
  { name: 'name', required: true },
  {
    name: 'topics',
    hint: 'south:topicsHint',
    placeholder: 'plant/#',
    when: (values) => !fixed.includes(String(row?.kind ?? values['kind'])),
  },
  ...mappingFields(row?.kind),
]
