// SPDX-License-Identifier: MIT
// The classes of Apple's Foundation that the façade for Objective-C names, so that the compiler can check what it
// shows to Objective-C, and write its header, where there is none of them. Nothing here does anything.
typedef signed char BOOL;
typedef long NSInteger;
typedef unsigned long NSUInteger;

__attribute__((objc_root_class))
@interface NSObject
+ (instancetype)new;
- (instancetype)init;
@end
@interface NSString : NSObject
@end
@interface NSArray : NSObject
@end
@interface NSData : NSObject
@end
@interface NSError : NSObject
@end
