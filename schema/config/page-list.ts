/** The declared pages, and which of them a device is offered. */
import type { FormField } from '../kit/field.ts'
import { formOf } from '../kit/form.ts'
import type { ConfigPage, DeviceTraits } from './config-page.ts'
import type { Offer } from './device-config.ts'
import { configPages } from './pages.gen.ts'

/** In the order in which their changes are written. */
export const pageList: readonly ConfigPage[] = Object.values(
  configPages as unknown as Readonly<Record<string, ConfigPage>>,
)
const byName = new Map(pageList.map((page) => [page.name, page]))
export const pageNamed = (name: string): ConfigPage | undefined => byName.get(name)

const forms = new Map<string, readonly FormField[]>()
/** Derived once: a schema of rules takes milliseconds. */
export function formOfPage(page: ConfigPage): readonly FormField[] {
  const known = forms.get(page.name)
  if (known) return known
  const form = formOf(page.body)
  forms.set(page.name, form)
  return form
}

export function offerOf(
  page: ConfigPage,
  device: { level: number | null; isRead: boolean; traits: DeviceTraits },
): Offer {
  if (device.level === null || device.level < page.sinceLevel) return 'oldVersion'
  if (page.needs.some((ability) => !device.traits.abilities.has(ability))) return 'lacking'
  return device.isRead ? 'yes' : 'unread'
}
