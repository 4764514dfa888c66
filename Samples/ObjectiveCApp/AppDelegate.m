// SPDX-License-Identifier: MIT
#import "AppDelegate.h"
#import "ObjectiveCApp-Swift.h"

@implementation AppDelegate

- (BOOL)application:(UIApplication *)application
    didFinishLaunchingWithOptions:(NSDictionary<UIApplicationLaunchOptionsKey, id> *)launchOptions {
  [SignInMove runWithCompletion:^(NSDictionary<NSString *, NSString *> *identifiers, NSError *error) {
    if (error != nil) {
      // Nothing is lost: whoever was not moved signs in once.
      NSLog(@"migration: %@", error.localizedDescription);
    }
    NSUserDefaults *defaults = NSUserDefaults.standardUserDefaults;
    NSString *userID = [defaults stringForKey:@"ADALUserID"];
    NSString *identifier = identifiers[userID.lowercaseString ?: @""];
    if (identifier != nil) {
      [defaults setObject:identifier forKey:@"MSALAccountIdentifier"];
    }
    // From here on the app may make its MSALPublicClientApplication.
    [self showFirstScreen];
  }];
  return YES;
}

- (void)showFirstScreen {
}

@end
