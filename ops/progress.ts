/** A progress bar on stderr, so that stdout stays for the result; silent without a terminal. */
const WIDTH = 30

export type Bar = { show(share: number, text: string): void; end(): void }

export function openBar(label: string, out: NodeJS.WriteStream = process.stderr): Bar {
  let shown = ''
  return {
    show: (share, text) => {
      if (!out.isTTY) return
      const filled = Math.round(Math.min(1, Math.max(0, share)) * WIDTH)
      const line = `${label} [${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}] ${text}`
      if (line === shown) return
      shown = line
      out.write(`\r\u001b[2K${line}`)
    },
    end: () => {
      if (shown) out.write('\n')
    },
  }
}
