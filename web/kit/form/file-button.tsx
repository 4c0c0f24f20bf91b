import { FileButton as Keeping } from '@mantine/core'
import { type ReactNode, useRef } from 'react'

type Props = {
  accept?: string
  onChange: (file: File) => void
  children: (props: { onClick: () => void }) => ReactNode
}

/**
 * Forgets what was chosen: browsers say nothing when the same file is chosen again, which may have been corrected meanwhile, or whose
 * transfer broke off.
 */
export function FileButton({ onChange, ...props }: Props) {
  const forget = useRef<() => void>(null)
  return (
    <Keeping
      {...props}
      resetRef={forget}
      onChange={(file) => {
        if (file === null) return
        forget.current?.()
        onChange(file)
      }}
    />
  )
}
