// SPDX-License-Identifier: MIT
// The declarations of Foundation that Tests/Apple uses in Objective-C; nothing here does anything.
typedef signed char BOOL;
typedef long NSInteger;
typedef unsigned long NSUInteger;
typedef double NSTimeInterval;
typedef signed int OSStatus;
#define YES __objc_yes
#define NO __objc_no
#define nil ((void *)0)
#define Nil ((void *)0)
#define NULL ((void *)0)
#define NS_ASSUME_NONNULL_BEGIN _Pragma("clang assume_nonnull begin")
#define NS_ASSUME_NONNULL_END _Pragma("clang assume_nonnull end")

@protocol NSObject
- (BOOL)respondsToSelector:(SEL)selector;
@end
__attribute__((objc_root_class))
@interface NSObject <NSObject>
+ (instancetype)alloc;
+ (instancetype)new;
+ (Class)class;
- (Class)class;
- (instancetype)init;
- (id)mutableCopy;
@end
@interface NSString : NSObject
+ (instancetype)stringWithFormat:(NSString *)format, ...;
- (NSString *)stringByReplacingOccurrencesOfString:(NSString *)target withString:(NSString *)replacement;
- (NSString *)stringByAppendingString:(NSString *)other;
- (id)dataUsingEncoding:(NSUInteger)encoding;
@end
@interface NSConstantString : NSString
@end
enum { NSUTF8StringEncoding = 4 };
@interface NSNumber : NSObject
+ (instancetype)numberWithBool:(BOOL)value;
@property (readonly) double doubleValue;
@end
@interface NSURL : NSObject
@end
@interface NSUUID : NSObject
@end
@interface NSDate : NSObject
+ (instancetype)dateWithTimeIntervalSinceNow:(NSTimeInterval)seconds;
@end
@interface NSData : NSObject
+ (instancetype)dataWithContentsOfURL:(NSURL *)url;
- (NSString *)base64EncodedStringWithOptions:(NSUInteger)options;
@end
@interface NSArray<__covariant Object> : NSObject
+ (instancetype)arrayWithObjects:(const Object[])objects count:(NSUInteger)count;
@property (readonly) NSUInteger count;
@property (readonly) Object firstObject;
- (Object)objectAtIndexedSubscript:(NSUInteger)index;
- (NSArray<Object> *)sortedArrayUsingSelector:(SEL)selector;
@end
typedef struct {
  unsigned long state;
  id __unsafe_unretained *itemsPtr;
  unsigned long *mutationsPtr;
  unsigned long extra[5];
} NSFastEnumerationState;
@interface NSArray (NSFastEnumeration)
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state
                                  objects:(id __unsafe_unretained[])buffer
                                    count:(NSUInteger)count;
@end
@interface NSMutableArray<Object> : NSArray<Object>
+ (instancetype)array;
- (void)addObject:(Object)object;
@end
@interface NSDictionary<__covariant Key, __covariant Object> : NSObject
+ (instancetype)dictionaryWithObjects:(const id[])objects forKeys:(const id[])keys count:(NSUInteger)count;
- (id)objectForKey:(id)key;
- (id)objectForKeyedSubscript:(id)key;
@end
@interface NSMutableDictionary<Key, Object> : NSDictionary<Key, Object>
- (void)setObject:(id)object forKeyedSubscript:(id)key;
- (void)addEntriesFromDictionary:(NSDictionary *)other;
@end
@interface NSString (NSArray)
- (NSArray<NSString *> *)componentsSeparatedByString:(NSString *)separator;
@end
@interface NSBundle : NSObject
+ (NSBundle *)bundleForClass:(Class)kind;
- (NSURL *)URLForResource:(NSString *)name withExtension:(NSString *)extension;
@end
@interface NSJSONSerialization : NSObject
+ (id)JSONObjectWithData:(NSData *)data options:(NSUInteger)options error:(id *)error;
+ (NSData *)dataWithJSONObject:(id)object options:(NSUInteger)options error:(id *)error;
@end
Class NSClassFromString(NSString *name);
NSString *NSStringFromClass(Class kind);
