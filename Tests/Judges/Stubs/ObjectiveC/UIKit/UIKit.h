// SPDX-License-Identifier: MIT
// The declarations of UIKit that the Objective-C sample uses; nothing here does anything.
#import <Foundation/Foundation.h>

typedef NSString *UIApplicationLaunchOptionsKey;
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
