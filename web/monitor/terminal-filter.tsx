import { t } from '../kit/i18n.ts'
import { FindField } from '../kit/list/find-field.tsx'
import type { Filter, FilterProps } from '../kit/list/list-types.ts'
import { foundTerminalsOf, useNamedTerminal } from './place-filters.ts'

const useFound = foundTerminalsOf()

function TerminalSearch({ filter, value, onChange }: FilterProps) {
  const known = useNamedTerminal().find((one) => one.value === value)
  return (
    <FindField
      w={filter.width}
      aria-label={t(filter.label)}
      placeholder={t(filter.label)}
      useFound={useFound}
      known={known}
      value={value}
      onChange={(next) => onChange(String(next ?? ''))}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  )
}

/** By one of all terminals, of which there may be tens of thousands. */
export const terminalFilter: Filter = {
  key: 'terminalId',
  label: 'variable:field.terminalName',
  width: 170,
  useOptions: useNamedTerminal,
  Draw: TerminalSearch,
}
