/** A whole collection template at once: from the library, from a file, or from what was found on a bus. */

import { z } from 'zod'
import { makes } from '../kit/about.ts'
import { bodyLimits, call, keyLimits } from '../kit/call.ts'
import { field, labelled } from '../kit/field.ts'
import { line } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { customerObject } from '../people/customer-object.ts'
import { templateFields, templateObject } from './collection-template.ts'
import { blanksOfMany, manyVariables } from './variable.ts'
import { templateEditPermission } from './variable-pages.ts'

export const importTemplate = call({
  path: '/api/collectionTemplate/importTemplate',
  permission: templateEditPermission,
  writes: true,
  about: makes(templateObject, { by: 'id', named: 'name', of: { object: customerObject, by: 'customerId' } }),
  summary: 'Adds a collection template with its variables, all or nothing.',
  body: z.object({
    ...labelled({ customerId: rowId.optional() }, { customerId: 'collection-template:field.customer' }),
    ...templateFields,
    libraryKey: field(line(64).optional(), { secret: false }).describe(
      'of the template of the library that it was made from',
    ),
    variables: manyVariables,
  }),
  // Written by hand or by other programs: null means none there, never 0.
  blanks: [...Object.keys(templateFields), 'libraryKey', ...blanksOfMany],
  reply: z.object({ id: z.number() }),
  bodyLimit: bodyLimits.text,
  keyLimit: keyLimits.rows,
})
