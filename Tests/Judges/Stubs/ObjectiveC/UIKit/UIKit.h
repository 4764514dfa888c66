// SPDX-License-Identifier: MIT
// The declarations of UIKit that the Objective-C sample uses; nothing here does anything.
#import <Foundation/Foundation.h>

typedef NSString *UIApplicationLaunchOptionsKey;
@interface UIApplication : NSObject
@end
@interface UIWindow : NSObject
@end
@interface UIResponder : NSObject
@end
@protocol UIApplicationDelegate
@end
