// SPDX-License-Identifier: MIT
// The declarations of UIKit that the Objective-C sample and plans of `doctor` use; nothing here does anything.
#import <Foundation/Foundation.h>

typedef NSString *UIApplicationLaunchOptionsKey;
extern NSString *const UIApplicationOpenURLOptionsSourceApplicationKey;
extern NSNotificationName const UIApplicationProtectedDataDidBecomeAvailable;
@interface UIApplication : NSObject
@property (class, readonly) UIApplication *sharedApplication;
@property (readonly, getter=isProtectedDataAvailable) BOOL protectedDataAvailable;
@end
extern NSNotificationName const UIApplicationProtectedDataDidBecomeAvailable;
extern NSNotificationName const UIApplicationWillEnterForegroundNotification;
@interface UIWindow : NSObject
@end
@interface UIResponder : NSObject
@end
@protocol UIApplicationDelegate
@end
