// SPDX-License-Identifier: MIT

// Without this the compiler would say that there is no module ArgumentParser.
#if !Command
  #error("the command needs the trait Command: swift build --traits Command")
#endif
