import type { ReactNode } from "react";
import { Providers } from "#providers";
import "#style";

export const metadata = { title: "Callboard chat" };

export default function Layout({ children }: { readonly children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Providers>{children}</Providers>
      </body>
    </html>
  );
}
