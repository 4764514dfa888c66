// SPDX-License-Identifier: MIT
// The declarations of Foundation that the Objective-C sample and plans of `doctor` use; nothing here does anything.
#import <ObjectiveC.h>

#define YES ((BOOL)1)
#define nil ((void *)0)

@interface NSConstantString : NSString
@end
@interface NSError (Used)
@property (readonly) NSString *domain;
@property (readonly) NSInteger code;
@property (readonly) NSString *localizedDescription;
@property (readonly) NSString *localizedRecoverySuggestion;
@end
@interface NSString (Used)
- (BOOL)isEqualToString:(NSString *)other;
@end
@interface NSDictionary<Key, Value> : NSObject
- (Value)objectForKeyedSubscript:(Key)key;
@end
@interface NSUserDefaults : NSObject
@property (class, readonly) NSUserDefaults *standardUserDefaults;
- (NSString *)stringForKey:(NSString *)key;
- (void)setObject:(id)object forKey:(NSString *)key;
@end
@interface NSURL : NSObject
+ (instancetype)URLWithString:(NSString *)string;
@end
void NSLog(NSString *format, ...);
typedef NSString *NSNotificationName;
@interface NSNotification : NSObject
@end
@interface NSNotificationCenter : NSObject
@property (class, readonly) NSNotificationCenter *defaultCenter;
- (void)addObserver:(id)observer selector:(SEL)selector name:(NSNotificationName)name object:(id)object;
- (void)removeObserver:(id)observer;
@end
