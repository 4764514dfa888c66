// SPDX-License-Identifier: MIT
// What the Swift compiler writes for the Objective-C sample's SignInMove.swift on a Mac.
@interface SignInMove : NSObject
+ (void)runWithCompletion:
    (void (^)(NSDictionary<NSString *, NSString *> *identifiers, NSError *error))completion;
@end
