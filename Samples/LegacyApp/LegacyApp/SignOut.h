// SPDX-License-Identifier: MIT
#import <Foundation/Foundation.h>

/// Signs all users out.
@interface SignOut : NSObject
- (void)signOut;
@end
