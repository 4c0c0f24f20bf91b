import { Select, type SelectProps } from '@mantine/core'
import { useState } from 'react'

/** A search finds the others. */
export const OPTIONS_DRAWN = 200

/**
 * A select of which the options are drawn when it is focused or under the pointer: Mantine draws those of every closed one
 * with the page. Not only when it opens: the keys move through options that are there.
 */
export function QuietSelect({ comboboxProps, onFocus, ...props }: SelectProps) {
  const [near, setNear] = useState(false)
  return (
    <Select
      limit={OPTIONS_DRAWN}
      {...props}
      comboboxProps={{ ...comboboxProps, keepMounted: near }}
      onPointerEnter={() => setNear(true)}
      onFocus={(event) => {
        setNear(true)
        onFocus?.(event)
      }}
    />
  )
}
