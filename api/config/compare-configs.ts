import { loadTemplates } from '#infra/config/template-book'
import { editsOf, formOfNamed, wantedConfig } from '#infra/config/wanted-config'
import { compareConfigs } from '#schema/config/compare-configs'
import { maskValues } from '#schema/config/mask-values'
import { formOfPage, pageList } from '#schema/config/page-list'
import { withOwnRows } from '#schema/config/row-ids'
import { type OwnFields, stacked } from '#schema/config/template-stack'
import type { CallContext } from '../kit/handler.ts'
import { handler } from '../kit/handler.ts'
import { type DeviceConfig, loadConfig, loadOtherConfig, offerTo, type Values } from './load-config.ts'

type Field = {
  page: string
  name: string
  own: unknown
  other: unknown
  template: string | null
  isOwn: boolean
}
const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Compared before masking: that passwords differ is reported, without showing them. */
function differing(
  page: (typeof pageList)[number],
  own: Values,
  other: Values,
): Omit<Field, 'template' | 'isOwn'>[] {
  const form = formOfPage(page)
  const [shown, others] = [maskValues(form, own), maskValues(form, other)]
  return form
    .filter(({ name }) => name in other && !same(own[name], other[name]))
    .map(({ name }) => ({ page: page.name, name, own: shown[name], other: others[name] }))
}

function withDevice(config: DeviceConfig, other: DeviceConfig): Field[] {
  return pageList
    .filter((page) => offerTo(page, config) === 'yes' && offerTo(page, other) === 'yes')
    .flatMap((page) => {
      const own = page.read(config.doc, config.traits)
      // Row ids refer to sections of their own device.
      const values = withOwnRows(formOfPage(page), page.read(other.doc, other.traits), own)
      return differing(page, own, values).map((field) => ({ ...field, template: null, isOwn: false }))
    })
}

async function withTemplates(ctx: CallContext, { device, row, doc, traits, reportedWan }: DeviceConfig) {
  const { customerId, groupId } = device
  const book = (await loadTemplates(ctx.sql, [customerId], ctx.env.JWT_SECRET)).get(customerId)
  if (!book || !row) return { fields: [], isSet: false, fault: null }
  const own: OwnFields = row.own
  const target = { deviceId: device.id, groupId, level: row.level, doc, traits, own, reportedWan }
  // Also the device's own values, to be marked as such.
  const { pages, from } = stacked(book, target, {}, formOfNamed)
  const edits = new Map(editsOf(pages, target).map(({ page, changes }) => [page, changes]))
  const fields = pageList.flatMap((page) => {
    const wanted = edits.get(page.name)
    if (!wanted) return []
    return differing(page, page.read(doc, traits), wanted).map((field) => ({
      ...field,
      template: from[page.name]?.[field.name] ?? null,
      isOwn: own[page.name]?.includes(field.name) ?? false,
    }))
  })
  const isSet = Object.values(from).some((page) => Object.values(page).some(Boolean))
  return { fields, isSet, fault: wantedConfig({ by: 'templates' }, target, book, ctx.language).fault }
}

export const compareConfigsHandler = handler(compareConfigs, async (ctx, body) => {
  const config = await loadConfig(ctx)
  if (body.withId === undefined) return withTemplates(ctx, config)
  return { fields: withDevice(config, await loadOtherConfig(ctx, body.withId)), isSet: true, fault: null }
})
