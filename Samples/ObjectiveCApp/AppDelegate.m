// SPDX-License-Identifier: MIT
#import "AppDelegate.h"
@import ADALMigrationObjC;

@implementation AppDelegate

- (BOOL)application:(UIApplication *)application
    didFinishLaunchingWithOptions:(NSDictionary<UIApplicationLaunchOptionsKey, id> *)launchOptions {
  [self moveSignIns];
  return YES;
}

- (void)moveSignIns {
  [[A2MMigration new] runWithCompletion:^(A2MReport *report, NSError *error) {
    if (error != nil) {
      NSLog(@"migration: %@ %@", error.localizedDescription, error.localizedRecoverySuggestion);
      BOOL isOurs = [error.domain isEqualToString:A2MMigration.errorDomain];
      BOOL isLocked = !UIApplication.sharedApplication.isProtectedDataAvailable;
      if (isOurs && error.code == A2MErrorCodeLocked && isLocked) {
        // The system has started the app in the background. The process lives on until the user opens the
        // app, so the move runs again before a sign-in is offered.
        [self waitForUnlock];
        return;
      }
      // Nothing is lost: a user whose sign-in was not moved signs in once.
    }
    NSUserDefaults *defaults = NSUserDefaults.standardUserDefaults;
    A2MAccount *account = [report accountForADALUserID:[defaults stringForKey:@"ADALUserID"]];
    if (account.identifier && ![defaults stringForKey:@"MSALAccountIdentifier"])
      [defaults setObject:account.identifier forKey:@"MSALAccountIdentifier"];
    // From here on the app may make its MSALPublicClientApplication.
    [self showFirstScreen];
  }];
}

- (void)waitForUnlock {
  // A suspended app misses the first notification, and gets the second when it comes to the front.
  NSNotificationCenter *center = NSNotificationCenter.defaultCenter;
  [center addObserver:self
             selector:@selector(deviceWasUnlocked:)
                 name:UIApplicationProtectedDataDidBecomeAvailable
               object:nil];
  [center addObserver:self
             selector:@selector(deviceWasUnlocked:)
                 name:UIApplicationWillEnterForegroundNotification
               object:nil];
}

- (void)deviceWasUnlocked:(NSNotification *)notification {
  [NSNotificationCenter.defaultCenter removeObserver:self];
  [self moveSignIns];
}

- (void)showFirstScreen {
}

@end
