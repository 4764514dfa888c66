# SPDX-License-Identifier: MIT
# The Homebrew formula; `scripts/release` fills it in for the systems that it has archives of.
class Adal2msal < Formula
  desc "Convert an ADAL token cache to MSAL's format so that users stay signed in"
  homepage "https://github.com/adal2msal/adal2msal"
  version "@VERSION@"
  license "MIT"

@SOURCES@

  def install
    bin.install "bin/adal2msal"
    man1.install "share/man/man1/adal2msal.1"
    bash_completion.install "share/bash-completion/completions/adal2msal"
    zsh_completion.install "share/zsh/site-functions/_adal2msal"
    fish_completion.install "share/fish/vendor_completions.d/adal2msal.fish"
    doc.install Dir["share/doc/adal2msal/*"]
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/adal2msal --version").chomp
    (testpath/"empty.items.json").write '{"format": "keychain-items", "version": 1, "items": []}'
    system bin/"adal2msal", "migrate", "empty.items.json", "-n"
  end
end
