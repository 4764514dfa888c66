// SPDX-License-Identifier: MIT
#import "AppDelegate.h"
@import ADALMigrationObjC;

@implementation AppDelegate

- (BOOL)application:(UIApplication *)application
    didFinishLaunchingWithOptions:(NSDictionary<UIApplicationLaunchOptionsKey, id> *)launchOptions {
  [[A2MMigration new] runWithCompletion:^(A2MReport *report, NSError *error) {
    if (error != nil) {
      // Nothing is lost: whoever was not moved signs in once.
      NSLog(@"migration: %@ %@", error.localizedDescription, error.localizedRecoverySuggestion);
      BOOL isOurs = [error.domain isEqualToString:A2MMigration.errorDomain];
      if (isOurs && error.code == A2MErrorCodeLocked) {
        // The device has not been unlocked since it started: the next start tries again.
      }
    }
    NSUserDefaults *defaults = NSUserDefaults.standardUserDefaults;
    A2MAccount *account = [report accountForUserID:[defaults stringForKey:@"ADALUserID"]];
    if (account.signedIn == A2MSignedInYes) {
      [defaults setObject:account.identifier forKey:@"MSALAccountIdentifier"];
    }
    // From here on the app may make its MSALPublicClientApplication.
    [self showFirstScreen];
  }];
  return YES;
}

- (void)showFirstScreen {
}

@end
