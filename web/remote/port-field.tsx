import { NumberInput } from '@mantine/core'
import { t } from '../kit/i18n.ts'

export const pageSchemes = ['http', 'https'] as const
export type PageScheme = (typeof pageSchemes)[number]

const usual: Record<PageScheme, number> = { http: 80, https: 443 }
export const portFor = (scheme: PageScheme, port: number | null) => port ?? usual[scheme]

type Props = { scheme: PageScheme; port: number | null; onChange: (port: number | null) => void }

/** Of a web page; the usual one of its protocol unless another is typed. */
export function PortField({ scheme, port, onChange }: Props) {
  return (
    <NumberInput
      w={76}
      flex="none"
      label={t('remote:field.port')}
      value={portFor(scheme, port)}
      min={1}
      max={65_535}
      clampBehavior="strict"
      allowDecimal={false}
      hideControls
      onChange={(value) => onChange(typeof value === 'number' ? value : null)}
    />
  )
}
