// SPDX-License-Identifier: MIT
// The declarations of UIKit and Foundation that the Objective-C sample uses; nothing here does anything.
typedef signed char BOOL;
#define YES ((BOOL)1)
#define nil ((void *)0)

__attribute__((objc_root_class)) @interface NSObject
@end
@interface NSString : NSObject
@property (readonly) NSString *lowercaseString;
@end
@interface NSConstantString : NSString
@end
@interface NSError : NSObject
@property (readonly) NSString *localizedDescription;
@end
@interface NSDictionary<Key, Value> : NSObject
- (Value)objectForKeyedSubscript:(Key)key;
@end
@interface NSUserDefaults : NSObject
@property (class, readonly) NSUserDefaults *standardUserDefaults;
- (NSString *)stringForKey:(NSString *)key;
- (void)setObject:(id)object forKey:(NSString *)key;
@end
void NSLog(NSString *format, ...);

typedef NSString *UIApplicationLaunchOptionsKey;
@interface UIApplication : NSObject
@end
@interface UIWindow : NSObject
@end
@interface UIResponder : NSObject
@end
@protocol UIApplicationDelegate
@end
