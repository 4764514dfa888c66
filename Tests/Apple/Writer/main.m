// SPDX-License-Identifier: MIT
// An app that does nothing: it hosts the tests, which use its entitlements.
@import UIKit;

@interface AppDelegate : UIResponder <UIApplicationDelegate>
@end

@implementation AppDelegate
@end

int main(int argc, char *argv[]) {
  @autoreleasepool {
    return UIApplicationMain(argc, argv, nil, NSStringFromClass([AppDelegate class]));
  }
}
