/** The form of an advertisement, with its preview. */

import { IMAGE_PATH } from '#schema/people/image'
import {
  addAdvertisement,
  advertisementEditPermission,
  getAdvertisementList,
  modifyAdvertisement,
} from '#schema/portal/advertisement'
import { useOwnGroupOptions } from '../device/device-options.ts'
import type { Drawn, Field } from '../kit/form/form-model.ts'
import { textsIn } from '../kit/i18n.ts'
import { listEditor } from '../kit/list/list-editor.tsx'
import type { Row } from '../kit/list/list-types.ts'
import { ownedChoice } from '../people/owned-choice.tsx'
import { isPlatformUser, ownScope, scopeOptions, useCustomerOptions } from '../people/people-options.ts'
import { imageIdOf, pictureField } from '../people/picture-field.tsx'
import { weekdayOptions } from './advertisement-text.ts'
import { PortalPreview } from './portal-preview.tsx'

export type Advertisement = Row<typeof getAdvertisementList>

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')
const PictureField = pictureField('portal')
const Preview = ({ values }: Drawn) => (
  <PortalPreview
    imageUrl={values['imageId'] ? `${IMAGE_PATH}${textOf(values['imageId'])}` : ''}
    caption={textOf(values['caption'])}
    link={textOf(values['link'])}
  />
)
// One component each for new ones and for those of a customer: a new one would lose the focus while typing.
const choices = new Map<number | undefined, Field['Draw']>()
function groupChoice(customerId: number | undefined) {
  const known = choices.get(customerId) ?? ownedChoice(useOwnGroupOptions, customerId)
  choices.set(customerId, known)
  return known
}

const fields = (row: Advertisement | null): readonly (Field | string)[] => [
  ...(row === null
    ? [
        {
          name: 'customerId',
          required: true,
          useOptions: useCustomerOptions,
          empties: ['groupIds'],
          when: isPlatformUser,
        } as const,
      ]
    : []),
  { name: 'name', required: true },
  { name: 'place', hint: 'advertisement:hint.place' },
  { name: 'imageId', required: true, Draw: PictureField },
  { name: 'caption', hint: 'advertisement:hint.caption' },
  { name: 'link', hint: 'advertisement:hint.link', required: true, placeholder: 'https://' },
  {
    name: 'scope',
    required: true,
    useOptions: () => scopeOptions(textsIn('advertisement:scope'), 'customer'),
  },
  {
    name: 'groupIds',
    hint: 'advertisement:hint.groupIds',
    required: true,
    when: ({ scope }) => scope === 'groups',
    Draw: groupChoice(row?.customerId),
    useNames: () => useOwnGroupOptions(row?.customerId),
  },
  { name: 'fromDate', hint: 'advertisement:hint.fromDate' },
  { name: 'toDate', hint: 'advertisement:hint.toDate' },
  { name: 'weekdays', hint: 'advertisement:hint.weekdays', useOptions: weekdayOptions },
  { name: 'fromTime', hint: 'advertisement:hint.fromTime' },
  { name: 'toTime', hint: 'advertisement:hint.toTime' },
  'enabled',
  { name: 'preview', label: 'advertisement:preview.title', Draw: Preview },
]

export const advertisementEditor = listEditor({
  list: getAdvertisementList,
  fields,
  success: 'advertisement:saved',
  create: {
    call: addAdvertisement,
    title: 'advertisement:create',
    permission: advertisementEditPermission,
    get initial() {
      return { scope: ownScope('customer') }
    },
  },
  edit: {
    call: modifyAdvertisement,
    title: 'advertisement:edit',
    permission: advertisementEditPermission,
    fixed: ({ id }) => ({ id }),
    values: (row) => ({
      name: row.name,
      place: row.place,
      imageId: imageIdOf(row.imageUrl),
      caption: row.caption ?? '',
      link: row.link,
      scope: row.scope,
      groupIds: row.groups.map(({ id }) => String(id)),
      fromDate: row.fromDate ?? '',
      toDate: row.toDate ?? '',
      weekdays: row.weekdays.map(String),
      fromTime: row.fromTime ?? '',
      toTime: row.toTime ?? '',
      enabled: row.enabled,
    }),
  },
})
